package export

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// longestReason is how much of a failure's text is written, in bytes.
const longestReason = 2000

// identify is a name for a run that is the same whenever it is exported.
func identify(run *tally.Run) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %q %v %d", run.Name, run.Model, run.Dataset, run.Digest, run.Started.UTC(), run.Trials)
	return hex.EncodeToString(h.Sum(nil))[:22]
}

// answerText is the recorded answer: the text itself if it is one, else JSON;
// "" if it is not available.
func answerText(r *tally.Result) string {
	if r.Answer == nil || r.Answer.Result == nil {
		return ""
	}
	if s, ok := r.Answer.Result.(pyval.Str); ok {
		return pyval.Text(s)
	}
	text, err := pyval.JSON(r.Answer.Result, pyval.JSONUnicode)
	if err != nil {
		return ""
	}
	return text
}

// wanted is the possible answer as JSON; "" if the category has none.
func wanted(c *eval.Case) string {
	if c.Answer == nil {
		return ""
	}
	text, err := pyval.JSON(c.Answer, pyval.JSONUnicode)
	if err != nil {
		return ""
	}
	return text
}

// explanation is the first line of why a result did not pass.
func explanation(r *tally.Result) string {
	if r.Passed() {
		return ""
	}
	first, _, _ := strings.Cut(r.Text, "\n")
	return safe.Printable(strings.TrimPrefix(first, r.ErrorType+": "), longestReason)
}

// A message is a message of a question, in the form of chat interfaces.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// question are the case's messages, turn after turn.
func question(c *eval.Case) []message {
	out := []message{}
	for _, turn := range c.Turns {
		for _, m := range turn {
			out = append(out, message{m.Role, m.Content})
		}
	}
	return out
}
