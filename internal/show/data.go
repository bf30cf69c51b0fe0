package show

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/curate/fetch"
	"github.com/gobfcl/bfcl/internal/curate/validate"
	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/say"
)

// Installed says what was installed, and where.
func Installed(done *fetch.Installed) string {
	state := "is installed"
	if done.Existing {
		state = "is already installed, unchanged"
	}
	text := fmt.Sprintf("%s %s: %s in %d files (%.1f MB), checked against pinned SHA-256 sums\n  commit   %s\n  licence  %s, see LICENSE in the folder\n  folder   %s\n  digest   %s\n",
		done.Dataset, state, say.Cases(done.Cases), done.Files, float64(done.Bytes)/1e6, done.Commit, done.Licence, done.Folder, done.Digest)
	for _, lack := range done.Missing {
		text += "  missing  " + say.Printable(lack, 300) + "\n"
	}
	for _, remark := range done.Remarks {
		text += "  note     " + say.Printable(remark, 500) + "\n"
	}
	return text
}

// Checked says whether an installed dataset is as pinned.
func Checked(r *fetch.Report) string {
	const sums = "its SHA-256 sums"
	if r.OK() {
		return fmt.Sprintf("%s  ok: %d files match %s  %s\n", r.Dataset, r.Files, sums, r.Folder)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s  does not match %s  %s\n", r.Dataset, sums, r.Folder)
	for _, part := range []struct {
		what  string
		names []string
	}{{"differs", r.Differing}, {"missing", r.Missing}, {"extra", r.Extra}} {
		for _, name := range part.names {
			fmt.Fprintf(&out, "  %-8s  %s\n", part.what, say.Printable(name, 300))
		}
	}
	return out.String()
}

// mostShown is how many problems are printed; --json has all of them.
const mostShown = 200

// Problems prints what is wrong with a suite.
func Problems(w io.Writer, r *validate.Report) error {
	for i, p := range r.Problems {
		if i == mostShown {
			fmt.Fprintf(w, "and %d more: --json lists them all\n", len(r.Problems)-mostShown)
			break
		}
		at := p.File
		if p.Line > 0 {
			at += ":" + strconv.Itoa(p.Line)
		}
		where := ""
		if p.Case != "" {
			where = "case " + say.Quote(p.Case, 100) + ": "
		}
		fmt.Fprintln(w, say.Printable(fmt.Sprintf("%s: %s: %s%s", at, p.Severity, where, p.Message), 2000))
	}
	_, err := fmt.Fprintf(w, "%s: %s, %s, %s; %s, %s\n", say.Printable(r.Dataset, 300), say.Count(r.Categories, "category", "categories"),
		say.Cases(r.Cases), say.Count(r.Tools, "tool", "tools"), say.Count(r.Errors, "error", "errors"), say.Count(r.Warnings, "warning", "warnings"))
	return err
}

// fewTools is how many tools providers accept in a request.
const fewTools = 128

// Begun says what became of the operations and tools that a suite begins with:
// which were left out and why, and how many have new names.
func Begun(s *ownsuite.Scaffold) (notes []string) {
	const most = 3
	left := map[string][]string{}
	for _, op := range s.Left {
		left[op.Reason] = append(left[op.Reason], op.Operation)
	}
	for _, reason := range slices.Sorted(maps.Keys(left)) {
		names, more := left[reason], ""
		if len(names) > most {
			more = ", …"
		}
		notes = append(notes, fmt.Sprintf("left out: %s: %s (%s%s)", say.Printable(reason, 200), say.Count(len(names), "operation", "operations"),
			say.Printable(strings.Join(names[:min(len(names), most)], ", "), 200), more))
	}
	renamed := 0
	for _, tool := range s.Tools {
		if tool.Original != "" {
			renamed++
		}
	}
	if renamed > 0 {
		notes = append(notes, say.Count(renamed, "name", "names")+" that providers refuse: tools/names.yaml has new ones")
	}
	if n := len(s.Tools); n > fewTools {
		notes = append(notes, fmt.Sprintf("providers accept at most %d tools in a request, and each case shows all %d: choose with --operations, or name the tools of a category in suite.yaml", fewTools, n))
	}
	return notes
}
