package ladder

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

// An Unread is an answer, or a step of one, from which no call could be read.
type Unread struct {
	Case *eval.Case
	// Value is what was answered; nil if it is not available.
	Value pyval.Value
}

// A Reading says how many of a category's answers could be read.
type Reading struct {
	Category *eval.Category
	// Total is the number of answers, and Unread are those without a readable
	// call.
	Total  int
	Unread []Unread
}

// unreadable reports whether an error type says that no call could be read.
func unreadable(errorType string) bool {
	return strings.HasPrefix(errorType, "ast_decoder:") || strings.HasPrefix(errorType, "executable_decoder:") ||
		errorType == "relevance_error:decoder_failed"
}

// UnreadOf returns the parts of an answer from which no call could be read, if
// calls are wanted: the whole answer, or steps of a conversation. A nil value
// means that the answer is not available.
func UnreadOf(cat *eval.Category, c *eval.Case, value pyval.Value, errorType string, s eval.Settings) []Unread {
	switch {
	case cat.MultiTurn() && value != nil:
		return steps(c, value, s)
	case cat.MultiTurn() || !unreadable(errorType):
		return nil
	}
	return []Unread{{c, value}}
}

// steps returns the steps of a conversation without a readable call.
func steps(c *eval.Case, result pyval.Value, s eval.Settings) []Unread {
	var out []Unread
	turns, _ := result.(*pyval.List)
	if turns == nil {
		return nil
	}
	for _, turn := range turns.Items {
		steps, _ := turn.(*pyval.List)
		if steps == nil {
			continue
		}
		for _, step := range steps.Items {
			if calls, err := multiturn.Execute(step, s); err != nil || multiturn.IsEmpty(calls) {
				out = append(out, Unread{c, step})
			}
		}
	}
	return out
}

// A Remedy is how answers that could not be read are read in another dialect.
type Remedy struct {
	// Own is the dialect of the model's family; "" if it is not known.
	Own string
	// Flag is the flag that takes a dialect, with its equals sign, and Command
	// the words that it belongs behind; none if only the flag can be named.
	Flag    string
	Command []string
}

// RemedyFor returns the remedy for a model, by its name.
func RemedyFor(model, flag string, command ...string) Remedy {
	r := Remedy{Flag: flag, Command: command}
	if f, ok := dialect.FamilyOf(model); ok {
		r.Own = f.Dialect.Name
	}
	return r
}

// with returns what to do to have answers read in a dialect.
func (r Remedy) with(name string) string {
	if len(r.Command) == 0 {
		return "give " + r.Flag + name
	}
	words := make([]string, 0, len(r.Command)+1)
	for _, word := range append(slices.Clone(r.Command), r.Flag+name) {
		words = append(words, safe.ShellWord(word))
	}
	return "`" + strings.Join(words, " ") + "`"
}

// Doubts names the categories in which more than half of the answers could
// not be read, or more than a fifth of the unread ones are in another dialect.
// Then the numbers say more about the reader than about the model.
func Doubts(parts []Reading, s eval.Settings, r Remedy) []string {
	var first string
	var others []string
	for i := range parts {
		switch text := parts[i].warning(s, r); {
		case text == "":
		case first == "":
			first = text
		default:
			others = append(others, parts[i].Category.Name)
		}
	}
	switch {
	case first == "":
		return nil
	case len(others) > 0:
		return []string{first, "The same is true of " + strings.Join(others, ", ") + "."}
	}
	return []string{first}
}

// A Lost says how many answers have calls as text that the server's own tool
// parser did not find.
type Lost struct {
	// Answers is the number of answers that the Dialect can read, of the Of
	// answers that want calls; each step of a conversation is one.
	Answers int    `json:"answers"`
	Of      int    `json:"of"`
	Dialect string `json:"dialect"`
	// Command asks for the text and reads it by the Dialect.
	Command string `json:"command,omitempty"`
}

// LostBy returns what a server's tool parser lost: the answers without a call
// from which a dialect reads calls to functions of the case; nil if there are
// none. The dialect is the run's own if it has one, and otherwise the one that
// reads most answers, of several the family's.
func LostBy(parts []Reading, s eval.Settings, r Remedy) *Lost {
	counts, of := map[string]int{}, 0
	for i := range parts {
		p := &parts[i]
		of += p.Total
		if p.Category.Name == prompt.Category {
			continue
		}
		texts := slices.DeleteFunc(slices.Clone(p.Unread), func(a Unread) bool {
			_, isText := a.Value.(pyval.Str)
			return !isText
		})
		for _, c := range p.candidates(texts) {
			counts[c.Dialect.Name] += c.Reads
		}
	}
	var found []dialect.Candidate
	for _, d := range dialect.All() {
		if n := counts[d.Name]; n > 0 && (s.Dialect == "" || s.Dialect == d.Name || counts[s.Dialect] == 0) {
			found = append(found, dialect.Candidate{Dialect: d, Reads: n})
		}
	}
	best, ok := dialect.Best(found, r.Own)
	if !ok {
		return nil
	}
	return &Lost{Answers: best.Reads, Of: of, Dialect: best.Dialect.Name, Command: strings.Trim(r.with(best.Dialect.Name), "`")}
}

// String returns the figure in a sentence.
func (l *Lost) String() string {
	return fmt.Sprintf("The server's tool parser found no calls in %d of %d answers whose text the dialect %s reads. To ask for the text and read it here:\n  %s",
		l.Answers, l.Of, l.Dialect, l.Command)
}

// candidates returns the dialects that read plausible calls in the answers.
func (p *Reading) candidates(answers []Unread) []dialect.Candidate {
	values := make([]pyval.Value, len(answers))
	for i, a := range answers {
		values[i] = a.Value
	}
	return dialect.Candidates(values, grammarOf(p.Category), func(at int, calls []pyval.Value) bool {
		return dialect.Meant(answers[at].Case.Tools, calls)
	})
}

// few is the number of unread answers from which a wrong reader can be
// suspected.
const few = 3

// warning returns "" if the answers may really have no calls.
func (p *Reading) warning(s eval.Settings, r Remedy) string {
	if len(p.Unread) < few {
		return ""
	}
	likely := p.likely(s, r)
	if many := !p.Category.MultiTurn() && 2*len(p.Unread) > p.Total; likely == "" && !many {
		return ""
	}
	what := fmt.Sprintf("of %d answers", p.Total)
	if p.Category.MultiTurn() {
		what = "steps"
	}
	return fmt.Sprintf("%s: no call could be read from %d %s%s.%s%s", p.Category.Name, len(p.Unread), what, readAs(s), likely, p.example())
}

// example returns a sentence about the first answer that is available.
func (p *Reading) example() string {
	at := slices.IndexFunc(p.Unread, func(a Unread) bool { return a.Value != nil })
	if at < 0 {
		return fmt.Sprintf(" The first is %s.", p.Unread[0].Case.ID)
	}
	return fmt.Sprintf(" The first, of %s: %s", p.Unread[at].Case.ID, safe.Printable(pyval.Text(p.Unread[at].Value), 160))
}

// likely returns a sentence that names the dialect that reads most answers, if
// it reads more than a fifth of them.
func (p *Reading) likely(s eval.Settings, r Remedy) string {
	const most = 300 // answers that are tried
	if p.Category.Name == prompt.Category {
		return "" // each of its formats has a reader of its own
	}
	tried := slices.DeleteFunc(slices.Clone(p.Unread), func(a Unread) bool { return a.Value == nil })
	tried = tried[:min(most, len(tried))]
	others := slices.DeleteFunc(p.candidates(tried), func(c dialect.Candidate) bool { return c.Dialect.Name == s.Dialect })
	best, ok := dialect.Best(others, r.Own)
	if !ok || best.Reads*5 <= len(tried) {
		return ""
	}
	return fmt.Sprintf(" In the dialect %s, %d of %d can be read: %s.", best.Dialect.Name, best.Reads, len(tried), r.with(best.Dialect.Name))
}

// readAs returns the name of the reader, if it is known.
func readAs(s eval.Settings) string {
	switch {
	case s.Dialect != "":
		return " in the dialect " + s.Dialect
	case s.Mode != "":
		return " in " + string(s.Mode) + " mode"
	}
	return ""
}

// grammarOf returns the grammar of the category's language.
func grammarOf(c *eval.Category) dialect.Grammar {
	if c.Release == eval.V1 {
		return dialect.V1(decode.Format(c.Language.Key()))
	}
	return dialect.V4(decode.Format(c.Language.Key()))
}
