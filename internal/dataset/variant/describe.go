package variant

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/kit/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// terse cuts the descriptions of functions and parameters to their first
// sentence. A later sentence that may say how to write a value is kept.
func (m *maker) terse() string {
	if len(m.c.Tools) == 0 {
		return noTools
	}
	changes := false
	for _, doc := range m.c.Tools {
		eachDescription(doc, func(s string) string {
			changes = changes || firstSentence(s) != s
			return s
		})
	}
	if !changes {
		return "no description has a sentence that can be cut"
	}
	m.tools(func(doc *pyval.Dict) *pyval.Dict { return eachDescription(doc, firstSentence) })
	return ""
}

// verbose adds filler sentences to descriptions.
func (m *maker) verbose() string {
	if len(m.c.Tools) == 0 {
		return noTools
	}
	m.tools(func(doc *pyval.Dict) *pyval.Dict {
		d := newDraw(m.set.Seed, "verbose", m.c.ID, text(doc, "name"))
		return eachDescription(doc, func(s string) string { return ended(s) + " " + fillers[d.below(len(fillers))] })
	})
	return ""
}

// fillers are sentences without information about a tool or a value.
var fillers = sentences["filler"]

func ended(s string) string {
	if s = strings.TrimRight(s, " \n\t"); s != "" && !strings.ContainsRune(".!?。)", rune(s[len(s)-1])) {
		s += "."
	}
	return s
}

// eachDescription returns a copy of a document with its descriptions changed:
// the function's and those of its parameters.
func eachDescription(doc *pyval.Dict, change func(string) string) *pyval.Dict {
	out := doc.Clone()
	if about := text(out, "description"); about != "" {
		out.SetStr("description", pyval.Str(change(about)))
	}
	props := properties(doc)
	if props == nil {
		return out
	}
	other := pyval.NewDict(props.Len())
	for key, value := range props.All() {
		if param, ok := value.(*pyval.Dict); ok {
			if about := text(param, "description"); about != "" {
				param = param.Clone()
				param.SetStr("description", pyval.Str(change(about)))
			}
			value = param
		}
		_ = other.Set(key, value) // a dict's key is hashable
	}
	return withProperties(out, other)
}

var (
	// sentenceEnd matches where a sentence ends and another begins.
	sentenceEnd = pattern.Of(`[.!?]["')]*\s+`)
	// tells matches the marks of a sentence that may say how to write a value.
	tells = pattern.Of(`[0-9"'` + "`" + `:=/%$€<>\[\]{}()]|\b[A-Z]{2,}\b|(?i)\b(default|format|formatted|must|should|only|optional|optionally|required|unit|units|example|examples|e\.g|i\.e|never|always|if|otherwise|unless|empty|none|null|true|false|allowed|accepts|least|most|maximum|minimum|range|between|in|as|either|instead|abbreviation)\b`)
)

// firstSentence returns the first sentence and the later ones that may say how
// to write a value. If the first one ends in an abbreviation, too much is cut,
// but never one of those.
func firstSentence(s string) string {
	at := sentenceEnd().FindStringIndex(s)
	if at == nil || at[1] == len(s) {
		return s
	}
	out := strings.TrimRight(s[:at[1]], " \n\t")
	for rest := s[at[1]:]; rest != ""; {
		end := len(rest)
		if next := sentenceEnd().FindStringIndex(rest); next != nil {
			end = next[1]
		}
		if sentence := rest[:end]; tells().MatchString(sentence) {
			out += " " + strings.TrimRight(sentence, " \n\t")
		}
		rest = rest[end:]
	}
	return out
}
