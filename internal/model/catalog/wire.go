package catalog

import (
	"regexp"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/kit/near"
	"github.com/gobfcl/bfcl/internal/kit/yamlfile"
	"github.com/gobfcl/bfcl/internal/pose/tool"
)

var fieldName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// readToolStyle reads one of upstream's names for the forms of tool schemas.
func readToolStyle(r *yamlfile.Reader, e *Entry, n *yaml.Node) {
	name, before := "", r.Faults()
	text("tool_style", func(s *string) *string { return s }).read(r, &name, n)
	if r.Faults() > before {
		return
	}
	if name != "" && !slices.Contains(tool.Styles(), tool.Style(name)) {
		var names []string
		for _, style := range tool.Styles() {
			names = append(names, string(style))
		}
		r.Fault(n, "tool_style: unknown style %s%s; the styles are %v", yamlfile.Printable(name), near.Propose(near.Names(name, names)), names)
		return
	}
	e.Wire.ToolStyle = tool.Style(name)
}

// readMaxTokensField reads the name of a field of the request's body.
func readMaxTokensField(r *yamlfile.Reader, e *Entry, n *yaml.Node) {
	name, before := "", r.Faults()
	text("max_tokens_field", func(s *string) *string { return s }).read(r, &name, n)
	switch {
	case r.Faults() > before:
	case name != "" && !fieldName.MatchString(name):
		r.Fault(n, "max_tokens_field: want the name of a field such as max_tokens or max_completion_tokens")
	default:
		e.Wire.MaxTokensField = name
	}
}

// readKeyCommand reads a command, which must not hold a key.
func readKeyCommand(r *yamlfile.Reader, e *Entry, n *yaml.Node) {
	command, before := "", r.Faults()
	text("key_command", func(s *string) *string { return s }).read(r, &command, n)
	switch {
	case r.Faults() > before:
	case looksLikeKey(command):
		r.Fault(n, "key_command: this looks like a key; want a command that prints one")
	default:
		e.KeyCommand = command
	}
}
