package why

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Described is the parameter that a verdict is about, or the part of it that
// is wrong.
type Described struct {
	// Place is the path of the parameter, such as "items[1].quantity".
	Place string
	// Schema is the schema of the parameter, as the tool's owner wrote it.
	Schema pyval.Value
	// Known are the parameters or fields that exist, if the place is not one of
	// them. Schema is nil then.
	Known []string
}

// String returns a line for people, cut to a limit.
func (d *Described) String() string {
	place := say.Printable(d.Place, capPlace)
	if d.Schema == nil {
		return place + " is not in the schema; known are " + say.Printable(strings.Join(d.Known, ", "), capValue)
	}
	return place + " " + say.Printable(d.JSON(), capValue)
}

// JSON returns the schema as JSON; "" if that is not possible.
func (d *Described) JSON() string {
	text, err := pyval.AppendJSON(nil, d.Schema, 0)
	if err != nil {
		return ""
	}
	return string(text)
}

// Schema describes the parameter that a verdict is about; nil if it is about
// none, or the tool is not known.
func Schema(r *eval.Result) *Described {
	function, path := spokenOf(r)
	if len(path) == 0 {
		return nil
	}
	for i, name := range r.Case.ToolNames() {
		if underscored(name) != underscored(function) {
			continue
		}
		if r.Case.Sent != nil {
			if d := describe(r.Case.Sent[i], path); d != nil {
				return d
			}
		}
		return describe(r.Case.Tools[i], path)
	}
	return nil
}

// spokenOf returns the function, and the place in its arguments, that a verdict
// is about. Upstream's texts name a parameter or a field but not its place, so
// the place is searched for among the differences. If none has the name, the
// first is used.
func spokenOf(r *eval.Result) (function string, path []string) {
	if r.At != nil {
		return r.At[0], r.At[1:]
	}
	made, _ := r.Decoded.(*pyval.List)
	if r.Case.Expected != nil || r.Case.Answer == nil || made == nil || len(made.Items) == 0 {
		return "", nil
	}
	said, found := firstText(r.Detail), differences(r.Case.Answer.Items, made.Items)
	differ := len(found)
	for i, call := range made.Items { // a value of another type can be equal
		if _, args := split(call); args != nil {
			for key := range args.All() {
				found = append(found, difference{call: i + 1, path: []string{pyval.Text(key)}})
			}
		}
	}
	at := slices.IndexFunc(found, func(d difference) bool {
		names := slices.DeleteFunc(slices.Clone(d.path), func(name string) bool { return strings.HasPrefix(name, "[") })
		return len(names) > 0 && strings.Contains(said, pyval.Repr(pyval.Str(names[len(names)-1])))
	})
	if at < 0 && differ == 0 {
		return "", nil
	}
	d := found[max(at, 0)]
	function, _ = split(made.Items[max(d.call, 1)-1])
	return function, d.path
}

// describe follows a path in a tool's document as far as there are schemas; nil
// if there is none for the argument.
func describe(doc *pyval.Dict, path []string) *Described {
	root := doc.Child("parameters")
	at := root
	if at == nil {
		return nil
	}
	for i, name := range path {
		in := referred(root, at)
		next := in.Child("properties").Child(name)
		if strings.HasPrefix(name, "[") {
			next = in.Child("items")
		}
		var known []string
		for key := range in.Child("properties").All() {
			known = append(known, pyval.Text(key))
		}
		switch {
		case next != nil:
			at = next
		case len(known) > 0:
			return &Described{Place: written(path[:i+1]), Known: known}
		case i == 0:
			return nil
		default:
			return &Described{Place: written(path[:i]), Schema: at}
		}
	}
	return &Described{Place: written(path), Schema: at}
}

// referred follows references such as "#/$defs/address"; they may form circles.
func referred(root, at *pyval.Dict) *pyval.Dict {
	const most = 20
	for range most {
		ref, _ := at.Text("$ref")
		rest, local := strings.CutPrefix(ref, "#/")
		if !local {
			break
		}
		at = root
		for name := range strings.SplitSeq(rest, "/") {
			at = at.Child(strings.NewReplacer("~1", "/", "~0", "~").Replace(name))
		}
	}
	return at
}
