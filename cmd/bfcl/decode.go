package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/say"
)

// formatFC is the name of function-calling mode among the text formats.
const formatFC = "fc"

var formats = []string{
	string(decode.Python), string(decode.Java), string(decode.JavaScript), string(decode.JSON),
	string(decode.VerboseXML), string(decode.ConciseXML), formatFC,
}

// A decoding is one `bfcl judge --decode`.
type decoding struct {
	*app
	only            bool
	format, dialect string
	tag, asJSON     bool
}

// register defines the flags of --decode that bfcl judge does not have itself.
func (d *decoding) register(flags *pflag.FlagSet) {
	flags.BoolVar(&d.only, "decode", false, "only decode the answer's calls, and print them")
	flags.StringVar(&d.format, "format", string(decode.Python), "with --decode, the return `format`: "+strings.Join(formats, ", "))
	flags.BoolVar(&d.tag, "tag", false, "with --decode, the calls are between <TOOLCALL> and </TOOLCALL>")
}

func (d *decoding) run(args []string) error {
	if len(args) == 0 {
		return misuse.Errorf("give the answer to decode, or - to read it from standard input")
	}
	if !slices.Contains(formats, d.format) {
		return misuse.Errorf("unknown format %q: use %s", d.format, strings.Join(formats, ", "))
	}
	if err := dialect.Check(d.dialect); err != nil {
		return misuse.Mark(err)
	}
	text, err := d.read(args[0])
	if err != nil {
		return err
	}
	calls, err := d.decode(text)
	if d.asJSON {
		return d.printJSON(calls, err)
	}
	if err != nil {
		fmt.Fprintln(d.out, say.Printable(err.Error(), 2000)+position(err))
		return exit(exitNo)
	}
	if line, err := pyval.AppendJSON(nil, calls, 0); err == nil {
		fmt.Fprintf(d.out, "%s\n", line)
	}
	fmt.Fprintln(d.out, say.Printable(pyval.Repr(calls), 1<<20))
	return nil
}

const longestAnswer = 64 << 20

// read is the text itself or, for -, standard input without its last newline.
func (a *app) read(text string) (string, error) {
	if text != "-" {
		return text, nil
	}
	data, err := io.ReadAll(io.LimitReader(a.in, longestAnswer+1))
	if err != nil {
		return "", err
	}
	if len(data) > longestAnswer {
		return "", fmt.Errorf("the answer is longer than %d MB", longestAnswer>>20)
	}
	return strings.TrimSuffix(string(data), "\n"), nil
}

func (d *decoding) decode(text string) (pyval.Value, error) {
	if d.dialect != "" {
		return d.decodeDialect(dialect.Find(d.dialect), text)
	}
	if d.format != formatFC {
		return decode.Prompt(text, decode.Format(d.format), d.tag)
	}
	v, err := pyval.ParseJSON(text)
	if err != nil {
		return nil, err
	}
	return decode.FC(recorded(v))
}

// decodeDialect reads a completion, or a list as a result file has it.
func (d *decoding) decodeDialect(as *dialect.Dialect, text string) (pyval.Value, error) {
	g := dialect.V4Tagged(decode.Format(d.format), d.tag)
	reading, err := as.Read(text, nil, nil)
	if err != nil {
		return nil, err
	}
	calls, err := as.Decode(reading.Kept, g)
	if err == nil {
		return calls, nil
	}
	if v, jsonErr := pyval.ParseJSON(text); jsonErr == nil && v.Kind() == pyval.KindList {
		return as.Decode(v, g)
	}
	return nil, err
}

// position says where a decoder stopped, if its error does not.
func position(err error) string {
	var failed *decode.Error
	if errors.As(err, &failed) && failed.Err == nil && failed.Offset > 0 {
		return fmt.Sprintf(" (at byte %d)", failed.Offset)
	}
	return ""
}

func (d *decoding) printJSON(calls pyval.Value, err error) error {
	out := struct {
		Calls json.RawMessage `json:"calls"`
		Repr  string          `json:"repr"`
		Error string          `json:"error,omitempty"`
	}{}
	if err != nil {
		out.Error = err.Error() + position(err)
	} else {
		out.Repr = pyval.Repr(calls)
		if text, err := pyval.AppendJSON(nil, calls, 0); err == nil && json.Valid(text) {
			out.Calls = text
		}
	}
	if printed := writeJSON(d.out, out); printed != nil || err == nil {
		return printed
	}
	return exit(exitNo)
}
