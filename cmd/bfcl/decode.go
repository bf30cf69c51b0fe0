package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

// formatFC is the name of function-calling mode among the text formats.
const formatFC = "fc"

var formats = []string{
	string(decode.Python), string(decode.Java), string(decode.JavaScript), string(decode.JSON),
	string(decode.VerboseXML), string(decode.ConciseXML), formatFC,
}

// A decoding is one `bfcl decode`.
type decoding struct {
	*app
	format, dialect string
	tag, asJSON     bool
}

func (a *app) decodeCommand() *cobra.Command {
	d := &decoding{app: a}
	cmd := &cobra.Command{
		Use:   "decode [--format FORMAT] (TEXT | -)",
		Short: "Decode calls from a model's text",
		Long: `Decode the calls in a model's answer. --format says how to read it: as a
prompt-mode answer in one of the return formats or, for fc, as the call list of
a result file. With --dialect it is read as the completion of a model that
writes calls in that dialect, or as such a model's answer in a result file.
Calls are parsed, never evaluated. They are printed as JSON, if JSON can hold
them, and as Python.

Exit codes: 0 decoded; 1 the text has no calls that decode; 3 wrong usage.`,
		Example: `  bfcl decode '[area(base=3, height=4.0)]'
  bfcl decode --format java 'new Point(x=1)'
  bfcl decode --format fc '[{"area": "{\"base\": 3}"}]'
  bfcl decode --dialect llama-fc '{"name": "area", "parameters": {"base": 3}}'`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return d.run(args[0]) },
	}
	cmd.Flags().StringVar(&d.format, "format", string(decode.Python), "the return `format`: "+strings.Join(formats, ", "))
	cmd.Flags().StringVar(&d.dialect, "dialect", "", "how the model writes calls, a `name` that bfcl models --dialects lists")
	cmd.Flags().BoolVar(&d.tag, "tag", false, "the calls are between <TOOLCALL> and </TOOLCALL>")
	cmd.Flags().BoolVar(&d.asJSON, "json", false, "print JSON")
	return cmd
}

func (d *decoding) run(text string) error {
	if !slices.Contains(formats, d.format) {
		return misuse.Errorf("unknown format %q: use %s", d.format, strings.Join(formats, ", "))
	}
	if err := dialect.Check(d.dialect); err != nil {
		return misuse.Mark(err)
	}
	text, err := d.read(text)
	if err != nil {
		return err
	}
	calls, err := d.decode(text)
	if d.asJSON {
		return d.printJSON(calls, err)
	}
	if err != nil {
		fmt.Fprintln(d.out, safe.Printable(err.Error(), 2000)+position(err))
		return exit(exitNo)
	}
	if line, err := pyval.AppendJSON(nil, calls, 0); err == nil {
		fmt.Fprintf(d.out, "%s\n", line)
	}
	fmt.Fprintln(d.out, safe.Printable(pyval.Repr(calls), 1<<20))
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
	if list, ok := v.(*pyval.List); ok {
		v = asRecorded(list)
	}
	return decode.FC(v)
}

// decodeDialect reads a completion, or a list as a result file has it.
func (d *decoding) decodeDialect(as *dialect.Dialect, text string) (pyval.Value, error) {
	g := dialect.V4Tagged(decode.Format(d.format), d.tag)
	reading, err := as.Read(text, nil)
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
