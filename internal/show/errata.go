package show

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// Erratum returns all that is known of a case; its question and key, if the data is
// there.
func Erratum(item *errata.Item, cat *eval.Category, c *eval.Case) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", item.ID, item.Line())
	field := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "  %-9s %s\n", name, say.Printable(text, 2000))
		}
	}
	if c != nil {
		field("question", c.Question())
		if cat.Answers() {
			field("key", pyval.Repr(c.Answer))
		} else {
			field("key", map[bool]string{true: "no call may be made", false: "some call must be made"}[c.Rule == eval.Irrelevance])
		}
	}
	field("mode", string(item.Mode))
	field("quote", item.Quote)
	for _, answer := range item.Accepts {
		field("accept", answer)
	}
	field("found by", item.Found)
	field("since", item.Since)
	field("report", item.Reference)
	return b.String()
}

// Errata returns the counts of a dataset's errata by category and kind, and the
// ceilings.
func Errata(dataset string, list *errata.List) string {
	counts := map[string]map[errata.Kind]int{}
	kinds := slices.DeleteFunc(errata.Kinds(), func(k errata.Kind) bool { return k == errata.Contradiction })
	for _, item := range list.Items {
		for _, name := range []string{"all", item.ID[:max(strings.LastIndexByte(item.ID, '_'), 0)]} {
			if counts[name] == nil && item.Defect() {
				counts[name] = map[errata.Kind]int{}
			}
			if item.Defect() {
				counts[name][item.Kind]++
			}
		}
	}
	heads := []string{"cases of " + dataset}
	for _, kind := range kinds {
		heads = append(heads, string(kind))
	}
	t := &say.Table{Head: append(heads, "read", "kappa", "ceiling")}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		row := []string{name}
		for _, kind := range kinds {
			row = append(row, fmt.Sprint(counts[name][kind]))
		}
		read := []string{"", "", ""}
		for _, r := range list.Readings {
			if r.Category == name && r.Read > 0 {
				low, high := ceiling(r, counts[name][errata.Wrong])
				read = []string{fmt.Sprint(r.Read), fmt.Sprintf("%.2f", r.Kappa), fmt.Sprintf("%.1f to %.1f%%", 100*low, 100*high)}
			}
		}
		t.Add(append(row, read...)...)
	}
	var b strings.Builder
	t.Text(&b)
	b.WriteString("\nceiling: what a perfect model can reach, with the wrong cases estimated among\nthose not read. `bfcl errata ID` shows an entry, docs/errata.md the method.\n")
	var all errata.Reading
	for _, r := range list.Readings {
		all.Cases, all.Read, all.Sampled, all.Found = all.Cases+r.Cases, all.Read+r.Read, all.Sampled+r.Sampled, all.Found+r.Found
	}
	if all.Sampled > 0 {
		rest := float64(all.Cases - all.Read - all.Sampled)
		missed := stat.Wilson(all.Found, all.Sampled, stat.Z95)
		fmt.Fprintf(&b, "\nOf %d cases drawn at random from those that were not read, %d are defective:\nof the other %.0f about %.0f are, %.0f to %.0f with 95%% confidence.\n", all.Sampled, all.Found, rest, rest*missed.Value, rest*missed.Low, rest*missed.High)
	}
	return b.String()
}

// ceiling returns the interval of the highest share of a category that a perfect
// model can reach: listed wrong cases are lost, and a share of the cases that
// were not read, by the random sample.
func ceiling(r errata.Reading, wrong int) (low, high float64) {
	rest := float64(max(r.Cases-r.Read-r.Sampled, 0))
	missed := stat.Estimate{Low: 0, High: 1}
	if r.Sampled > 0 {
		missed = stat.Wilson(r.Wrong, r.Sampled, stat.Z95)
	} else if rest == 0 {
		missed = stat.Estimate{}
	}
	n := float64(r.Cases)
	return max(0, 1-(float64(wrong)+rest*missed.High)/n), 1 - (float64(wrong)+rest*missed.Low)/n
}
