package calllog

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// secret matches what looks like a key: a well-known prefix, or a text after
// words that announce one.
var secret = pattern.Of(`(?i)\b(?:sk|pk|rk)-[a-z0-9_-]{16,}|\bgh[pousr]_[a-z0-9]{20,}|\bxox[abprs]-[a-z0-9-]{10,}|\bAKIA[0-9A-Z]{16}\b|\bAIza[0-9a-z_-]{30,}|\beyJ[a-z0-9_-]{10,}\.[a-z0-9_-]{10,}\.[a-z0-9_-]*|\bbearer\s+[a-z0-9._~+/=-]{12,}|\b(?:api[_-]?key|password|secret|access[_-]?token|authorization)["']?\s*[:=]\s*["']?[^\s"',;]{6,}|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`)

// Mask replaces a text that looks like a key.
const Mask = "***"

// longestKey is how long an escaped key may be in a suite's YAML.
const longestKey = 1000

// A mask replaces texts that look like keys, and counts them.
type mask struct {
	count int
	err   error // set if a value cannot be written to a suite's file
}

func (m *mask) text(s string) pyval.Str {
	if !utf8.ValidString(s) {
		m.err = errors.New("a text holds half of a surrogate pair, which a suite's file cannot hold")
	}
	return pyval.Str(secret().ReplaceAllStringFunc(s, func(string) string { m.count++; return Mask }))
}

func (m *mask) value(v pyval.Value) pyval.Value {
	switch v := v.(type) {
	case pyval.Str:
		return m.text(string(v))
	case *pyval.List:
		return v.Map(m.value)
	case *pyval.Dict:
		out := pyval.NewDict(v.Len())
		for key, item := range v.All() {
			name := string(m.text(pyval.Text(key)))
			if n := len(yamlText(name)); n > longestKey {
				m.err = fmt.Errorf("a key of %d characters is too long for a suite's file (at most %d)", n, longestKey)
			}
			out.SetStr(name, m.value(item))
		}
		return out
	}
	return v
}
