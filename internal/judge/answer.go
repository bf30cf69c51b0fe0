package judge

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Check compares a message with the accepted answers: upstream's
// agentic_checker. One of them must be in the message as whole words. answers
// is a list of texts; of a text each character is an answer, as Python iterates
// over it.
func Check(message, answers pyval.Value) eval.Verdict {
	accepted, err := standardAnswers(answers)
	if err != nil {
		return unreadable(err)
	}
	if list, ok := message.(*pyval.List); ok {
		if len(list.Items) == 0 {
			return unreadable(errors.New("the message is an empty list"))
		}
		message = list.Items[0]
	}
	text, ok := message.(pyval.Str)
	if !ok {
		text = pyval.Str(pyval.Text(message))
	}
	said := Standard(string(text))
	for _, answer := range accepted {
		if holds(said, answer) {
			return eval.Verdict{}
		}
	}
	v := refused(NotFound, pyval.Str(notFound))
	v.Detail.(*pyval.Dict).SetStr("details", details(text, answers, said, accepted))
	return v
}

func details(text pyval.Str, answers pyval.Value, said string, accepted []string) *pyval.Dict {
	return pyval.Object("model_response", text, "possible_answers", answers,
		"standardized_model_response", pyval.Str(said), "standardized_possible_answers", pyval.Texts(accepted))
}

func standardAnswers(answers pyval.Value) ([]string, error) {
	items, err := iterated(answers)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(items))
	for i, item := range items {
		answer, ok := item.(pyval.Str)
		if !ok {
			return nil, fmt.Errorf("answer %d is %s, not a text", i+1, pyval.ATypeName(item))
		}
		out[i] = Standard(string(answer))
	}
	return out, nil
}

// dropped are the characters that are ignored, which joins what is around them:
// 3.14 is 314.
const dropped = ",./-_*^()"

// Standard is upstream's standardize_string: without punctuation, in lower
// case, with one kind of quotation mark. White space is kept.
func Standard(text string) string {
	kept := make([]byte, 0, len(text))
	for i := range len(text) {
		if strings.IndexByte(dropped, text[i]) < 0 {
			kept = append(kept, text[i])
		}
	}
	return strings.ReplaceAll(pyval.Lower(string(kept)), "'", `"`)
}

// holds reports whether a text contains an answer between two word boundaries:
// the regular expression \banswer\b of Python's re.
func holds(text, answer string) bool {
	for at := 0; at <= len(text); {
		i := strings.Index(text[at:], answer)
		if i < 0 {
			return false
		}
		i += at
		if boundary(text, i) && boundary(text, i+len(answer)) {
			return true
		}
		_, size := pyval.DecodeRune(text[i:])
		at = i + max(size, 1)
	}
	return false
}

// boundary reports whether Python's \b matches at a byte of a text.
func boundary(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	return isWord(before) != isWord(after)
}

// isWord reports whether Python's \w matches. It does not match what is not a
// character, such as half of a surrogate pair.
func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r)
}
