package errata

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// upstreamAnswers is where upstream keeps its answer files.
const upstreamAnswers = "berkeley-function-call-leaderboard/bfcl_eval/data/possible_answer/"

// The files of an export.
const (
	PatchFile = "answers.patch"
	NotesFile = "errata.md"
)

// Export writes what upstream can take into a new folder: a patch of its answer
// files, for what these can say, and the evidence of every entry in a line. It
// returns the number of cases that the patch changes.
func (l *List) Export(d *fixtures.Dataset, folder string) (patched int, err error) {
	var patch bytes.Buffer
	done := map[string]bool{} // the memory's categories share a file
	for _, cat := range categories.All() {
		if !cat.Compares() && !cat.MultiTurn() || cat.Rule == eval.Varied || !d.Has(cat) || d.Retired(cat) || done[cat.FileName()] {
			continue
		}
		done[cat.FileName()] = true
		n, err := l.patch(&patch, d, cat)
		if err != nil {
			return 0, err
		}
		patched += n
	}
	if err := os.Mkdir(folder, 0o755); err != nil {
		return 0, err
	}
	if err := os.WriteFile(filepath.Join(folder, PatchFile), patch.Bytes(), 0o644); err != nil {
		return 0, err
	}
	return patched, os.WriteFile(filepath.Join(folder, NotesFile), l.notes(), 0o644)
}

// patch adds the changes of a category's answer file: a hunk per line.
func (l *List) patch(b *bytes.Buffer, d *fixtures.Dataset, cat *eval.Category) (n int, err error) {
	cases, err := d.Cases(cat)
	if err != nil {
		return 0, err
	}
	name, lines, err := d.AnswerLines(cat)
	if err != nil {
		return 0, err
	}
	for i, c := range cases {
		item := l.Find(c.ID)
		if item == nil || !item.Amends() || item.Kind == Rule {
			continue
		}
		amended, err := item.line(cat, c, lines[i])
		if err != nil {
			return n, err
		}
		if amended == lines[i] {
			continue // upstream's file cannot say it
		}
		if n++; n == 1 {
			fmt.Fprintf(b, "--- a/%[1]s\n+++ b/%[1]s\n", upstreamAnswers+name)
		}
		ending := "\n"
		if i == len(lines)-1 {
			ending = "\n\\ No newline at end of file\n"
		}
		fmt.Fprintf(b, "@@ -%d +%d @@\n-%s%s+%s%s", i+1, i+1, lines[i], ending, amended, ending)
	}
	return n, nil
}

// line returns a case's line of the answer file with the values added that the
// entry accepts. Upstream's files hold one list of values for each parameter.
func (item *Item) line(cat *eval.Category, c *eval.Case, line string) (string, error) {
	v, err := pyval.ParseJSON(line)
	row, ok := v.(*pyval.Dict)
	if err != nil || !ok {
		return line, err
	}
	if cat.MultiTurn() {
		return item.conversationLine(cat, c, row, line)
	}
	calls := slices.Clone(c.Answer.Items)
	for _, text := range item.Accepts {
		k, err := newKey(cat, c, text)
		if err != nil {
			return line, err
		}
		if k.amended == nil || len(k.amended.Items) != len(calls) || slices.Contains(k.from, -1) {
			return line, nil
		}
		for i, amended := range k.amended.Items {
			_, params := only(amended)
			name, official := only(calls[k.from[i]])
			calls[k.from[i]] = one(name, merged(official, params))
		}
	}
	row = row.Clone()
	row.SetStr("ground_truth", pyval.NewList(calls...))
	return pyval.JSON(row, pyval.JSONUnicode)
}

// conversationLine is line for conversations. A memory's file holds several texts;
// of calls it holds one way, so that only a wrong one can be replaced.
func (item *Item) conversationLine(cat *eval.Category, c *eval.Case, row *pyval.Dict, line string) (string, error) {
	amended, err := conversation(cat, c, item.Accepts[0])
	if err != nil || !cat.Agentic() && item.Kind != Wrong {
		return line, err
	}
	answer := amended.Answer
	if cat.Agentic() {
		answer = pyval.NewList(slices.Clone(c.Answer.Items)...)
		for _, text := range item.Accepts {
			answer.Items = append(answer.Items, pyval.Str(text))
		}
	}
	row = row.Clone()
	row.SetStr("ground_truth", answer)
	return pyval.JSON(row, pyval.JSONUnicode)
}

// merged adds the accepted values of one call to those of another.
func merged(official, more *pyval.Dict) *pyval.Dict {
	out := official.Clone()
	for param, v := range more.All() {
		have, _ := official.Get(param)
		list, ok := have.(*pyval.List)
		extra, _ := v.(*pyval.List)
		if !ok {
			_ = out.Set(param, v)
			continue
		}
		values := slices.Clone(list.Items)
		for _, value := range extra.Items {
			if !slices.ContainsFunc(values, func(v pyval.Value) bool { return pyval.Equal(v, value) && pyval.SameType(v, value) }) {
				values = append(values, value)
			}
		}
		_ = out.Set(param, pyval.NewList(values...))
	}
	return out
}

// notes returns a line of evidence for each entry, by kind.
func (l *List) notes() []byte {
	var b bytes.Buffer
	for _, kind := range Kinds() {
		fmt.Fprintf(&b, "# %s: %s\n\n", kind, kind.Means())
		for _, item := range l.Items {
			if item.Kind != kind {
				continue
			}
			fmt.Fprintf(&b, "- `%s`: %s The case says: %s.", item.ID, strings.TrimSuffix(item.Reason, ".")+".", say.Quote(item.Quote, 300))
			if item.Amends() {
				fmt.Fprintf(&b, " Refused today: `%s`.", say.Printable(strings.Join(item.Accepts, "`, `"), 1000))
			}
			b.WriteString("\n")
		}
		b.WriteString("\n")
	}
	return b.Bytes()
}
