package catalog

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/plainfile"
)

// A KeyState says whether a model's key is set.
type KeyState string

// The states of a key.
const (
	KeySet       KeyState = "set"
	KeyMissing   KeyState = "missing"
	KeyOptional  KeyState = "optional" // sent if it is set, but not needed
	KeyNone      KeyState = "none"     // the adapter takes none
	KeyElsewhere KeyState = "aws"      // AWS's chain looks beyond the environment
	KeyPrinted   KeyState = "command"  // a command prints it
)

// A Row is a model in a list. It shows no value of a variable.
type Row struct {
	Entry
	Key       KeyState `json:"key"`
	Variables []string `json:"key_variables,omitempty"`
}

// Rows returns a row for each entry: what is known of it, and whether its key
// is set.
func Rows(entries []Entry, env Environment) []Row {
	rows := make([]Row, len(entries))
	for i, e := range entries {
		state, variables := e.KeyState(env)
		rows[i] = Row{e, state, variables}
	}
	return rows
}

// KeyState reports whether the entry's key is set, and in which variable; if it
// is not, in which variables it may be.
func (e Entry) KeyState(env Environment) (KeyState, []string) {
	if e.KeyCommand != "" {
		return KeyPrinted, nil
	}
	variables, needed := e.Keys()
	bedrock := e.Adapter == "bedrock" && e.Key == ""
	if bedrock {
		variables = awsVariables
	}
	for _, name := range variables {
		if value, _ := env(name); strings.TrimSpace(value) != "" {
			return KeySet, []string{name}
		}
	}
	switch {
	case bedrock:
		return KeyElsewhere, nil
	case needed && !e.carriesKey():
		return KeyMissing, variables
	case len(variables) > 0:
		return KeyOptional, variables
	}
	return KeyNone, nil
}

// WriteTable writes the entries as a text table at most 80 characters wide,
// with prices in dollars per million tokens and whether the key is set. For a
// single entry it writes all that is known, one item per line.
func WriteTable(w io.Writer, entries []Entry, env Environment) error {
	if len(entries) == 1 {
		return writeOne(w, entries[0], env)
	}
	line(w, "model", "adapter", "mode", "in $/M", "out $/M", "key")
	for _, r := range Rows(entries, env) {
		line(w, r.Name, r.Adapter, string(r.Mode), dollars(r.Input, r.GPUHour), dollars(r.Output, nil), string(r.Key))
	}
	return nil
}

// nameWidth is the width of names in a line of 80 characters. A longer name
// gets a line of its own.
const nameWidth = 31

// line writes a line of the list.
func line(w io.Writer, texts ...string) {
	name := shown(texts)[0]
	if utf8.RuneCountInString(name) > nameWidth {
		_, _ = io.WriteString(w, name+"\n")
		name = ""
	}
	_, _ = fmt.Fprintf(w, "%-*s  %-11s  %-6s  %7s  %7s  %s\n", nameWidth, name, texts[1], texts[2], texts[3], texts[4], texts[5])
}

// writeOne writes what is known of an entry.
func writeOne(w io.Writer, e Entry, env Environment) error {
	r := Rows([]Entry{e}, env)[0]
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, line := range [][2]string{
		{"model", r.Name}, {"aliases", strings.Join(r.Aliases, ", ")}, {"display name", r.DisplayName},
		{"organization", r.Organization}, {"license", r.License}, {"link", r.URL},
		{"adapter", r.Adapter}, {"id", r.ID}, {"address", r.BaseURL}, {"mode", string(r.Mode)}, {"dialect", r.Dialect},
		{"in $/M", dollars(r.Input, r.GPUHour)}, {"out $/M", dollars(r.Output, nil)}, {"priced", r.Priced}, {"source", r.Source},
		{"key", r.key()}, {"from", r.Origin},
	} {
		if line[1] != "" {
			cells(t, line[0], line[1])
		}
	}
	return t.Flush()
}

// shown makes texts printable, in place.
func shown(texts []string) []string {
	for i, s := range texts {
		texts[i] = plainfile.Printable(cmp.Or(s, "-"))
	}
	return texts
}

func cells(w io.Writer, texts ...string) {
	_, _ = io.WriteString(w, strings.Join(shown(texts), "\t")+"\n")
}

// dollars returns a price as text; the price of a GPU-hour replaces a missing
// one.
func dollars(price, hour *float64) string {
	switch {
	case price != nil:
		return strconv.FormatFloat(*price, 'f', -1, 64)
	case hour != nil:
		return strconv.FormatFloat(*hour, 'f', -1, 64) + "/h"
	}
	return ""
}

func (r Row) key() string {
	names := strings.Join(r.Variables, " or ")
	switch r.Key {
	case KeyElsewhere:
		return "AWS credentials"
	case KeyPrinted:
		return "from key_command"
	case KeyNone:
		return "not needed"
	case KeyOptional:
		return "not needed (" + names + " if set)"
	}
	return names + " " + string(r.Key)
}
