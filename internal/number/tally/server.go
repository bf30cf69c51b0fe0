package tally

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/adapters/replay"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/say"
)

// saidOfServer returns what the answers show about the server between the suite and
// the model, and whether another model than the requested one gave answers.
func saidOfServer(r *Run) (said []string) {
	if n, of, _ := r.showing(func(x *eval.Result) bool { return x.Malformed }); n > 0 {
		said = append(said, fmt.Sprintf("The server reported an error for %d of %d answers because it could not read their calls; they count as the model's answers, with the text where the server tells it. With -read=dialect or -mode=prompt calls are read here.", n, of))
	}
	if n, of, first := r.showing(func(x *eval.Result) bool { return x.Beyond > 0 }); n > 0 {
		said = append(said, fmt.Sprintf("In %d of %d answers more calls are marked than upstream's reader of the dialect %s returns; the verdicts are upstream's. The first is %s.", n, of, r.Dialect, first.Case.ID))
	}
	if text := ceiling(r); text != "" {
		said = append(said, text)
	}
	// In some 20,000 recorded answers there is no prompt with fewer tokens than it
	// must have, so that one is worth a word.
	if n, of, first := r.showing(func(x *eval.Result) bool { return strings.HasPrefix(x.Finish, eval.ShortPrompt) }); n > 0 {
		why := first.Case.ID + ": " + strings.TrimPrefix(first.Finish, eval.ShortPrompt)
		said = append(said, fmt.Sprintf("The prompts of %d of %d answers have fewer tokens than they must have (%s): the server seems to leave a part out, because its context is full or its template has no place for functions; or it does not count what it had cached. `bfcl doctor` asks it.", n, of, say.Printable(why, 200)))
	}
	if text := r.ServedNote(); text != "" {
		said = append(said, text)
	}
	return said
}

// showing counts the answers, and those of them that show something, with the first.
func (r *Run) showing(is func(*eval.Result) bool) (n, of int, first *eval.Result) {
	for _, result := range r.answers() {
		if of++; is(result) {
			if n++; n == 1 {
				first = result
			}
		}
	}
	return n, of, first
}

const (
	// leastCeiling is the smallest count of tokens that may be a context's.
	leastCeiling = 512
	// leastAt is how many prompts have to stand at the ceiling: two or three of
	// the same length are chance.
	leastAt = 5
)

// ceiling returns a suspicion if many prompts have exactly as many tokens as the
// longest one: a server that cuts prompts at its context and says nothing.
func ceiling(r *Run) string {
	most, at := 0, 0
	for cat, result := range r.answers() {
		if cat.MultiTurn() || result.Trial > 0 {
			continue // a conversation's is a sum; the same prompt again says nothing
		}
		switch n := result.InputTokens; {
		case n > most:
			most, at = n, 1
		case n == most:
			at++
		}
	}
	if most < leastCeiling || at < leastAt {
		return ""
	}
	return fmt.Sprintf("The prompts of %d answers have exactly %d tokens, and none has more: the server seems to cut prompts at its context, functions first, without saying so. Raise it (Ollama: OLLAMA_CONTEXT_LENGTH, or num_ctx in the Modelfile) and run again.", at, most)
}

// A mending is what to do about infrastructure errors that asking again would only
// repeat.
type mending struct {
	kind, text string
	// alone reports whether the same run is not asked again after it.
	alone bool
}

var remedies = []mending{
	{transport.ContextFull, "give the server a longer context", false},
	{transport.Unequipped, "start the server with its tool parser", false},
	{transport.Malformed, "ask in a new run folder with -read=dialect or -mode=prompt", true},
	{replay.Missing, unrecorded, true},
	{replay.Recorded, unrecorded, true},
}

const unrecorded = "record the answers, or leave their cases out with -ids"

// remediesFor returns what to do about infrastructure errors, and whether asking again helps.
func remediesFor(r *Run) (texts []string, again bool) {
	for _, k := range r.Kinds() {
		kind, ok := strings.CutPrefix(k.ErrorType, infrastructure)
		if !ok {
			continue
		}
		at := slices.IndexFunc(remedies, func(known mending) bool { return known.kind == kind })
		if at < 0 {
			again = true
			continue
		}
		if !slices.Contains(texts, remedies[at].text) {
			texts = append(texts, remedies[at].text)
		}
		again = again || !remedies[at].alone
	}
	return texts, again
}

// Again says what to do about the run's infrastructure errors.
func (r *Run) Again() string {
	texts, again := remediesFor(r)
	first := strings.Join(texts, ", ")
	switch {
	case first == "":
		return askAgain(r)
	case again:
		return first + ", because the same would happen again, and then " + askAgain(r)
	}
	return first
}

// CanAskAgain reports whether asking the run's cases again may give answers.
func (r *Run) CanAskAgain() bool {
	first, again := remediesFor(r)
	return again || len(first) == 0
}

// Overlooked counts the right answers that hold a call which was not read; nil if
// there are none.
func (r *Run) Overlooked() *score.Overlooked {
	o := &score.Overlooked{Categories: map[string]int{}}
	for cat, result := range r.All() {
		if !result.Passed() || !abstains(cat, result.Case) {
			continue
		}
		if o.Of++; len(result.Overlooked) == 0 {
			continue
		}
		if o.Answers++; o.Answers == 1 {
			o.First = result.Case.ID
		}
		o.Categories[cat.Name]++
	}
	if o.Answers == 0 {
		return nil
	}
	worth := r.Worth()
	for _, name := range slices.Sorted(maps.Keys(o.Categories)) { // a sum depends on its order
		o.Points += worth[name] * float64(o.Categories[name])
	}
	return o
}

// abstains reports whether a case wants no call, or none in one of its turns.
func abstains(cat *eval.Category, c *eval.Case) bool {
	return cat.Rule == eval.Irrelevance || cat.Rule == eval.MultiTurn && c.Answer != nil &&
		slices.ContainsFunc(c.Answer.Items, func(turn pyval.Value) bool { n, ok := pyval.Len(turn); return ok && n == 0 })
}

// overlookedIn says how many right answers hold a call, and how it is read.
func overlookedIn(r *Run, o *score.Overlooked) string {
	var all []unread
	for cat, result := range r.All() {
		for _, value := range result.Overlooked {
			all = append(all, unread{cat, result.Case, value})
		}
	}
	return fmt.Sprintf("A call that was not read stands in %d of %d right answers where nothing may be called: %.2f points of the overall. Upstream counts them as abstentions, and so does this score.%s The first, of %s: %s",
		o.Answers, o.Of, o.Points, likelyIn(r, all), say.Plain(o.First, 100), say.Printable(pyval.Text(all[0].value), 160))
}

// Strict returns the run in which right answers that hold a call which was not
// read are wrong; nil if there are none.
func (r *Run) Strict() *Run {
	return changed(r, func(x *eval.Result) bool { return len(x.Overlooked) > 0 }, func(x *eval.Result) {
		x.Status, x.Overlooked = eval.Fail, nil
	})
}

// Hoped returns the run in which every missing answer is right; nil if none is
// missing.
func Hoped(r *Run) *Run {
	return changed(r, func(x *eval.Result) bool { return x.Status == eval.Error }, func(x *eval.Result) {
		x.Status, x.ErrorType = eval.Pass, ""
	})
}

// changed returns the run with other results; nil if none is to be changed.
func changed(r *Run, is func(*eval.Result) bool, change func(*eval.Result)) *Run {
	out := *r
	out.Parts = slices.Clone(r.Parts)
	found := false
	for i := range out.Parts {
		results := slices.Clone(out.Parts[i].Results)
		for k := range results {
			if is(&results[k]) {
				change(&results[k])
				found = true
			}
		}
		out.Parts[i].Results = results
	}
	if !found {
		return nil
	}
	return &out
}

// Named returns the run as proposed commands name it.
func (r *Run) Named() advise.Run {
	named := advise.Run{Path: r.Path, Kind: advise.JUnit}
	if r.Upstream {
		named.Kind, named.Dataset, named.Data = advise.Upstream, r.Dataset, r.DataDir
		sizes := r.Sizes()
		named.Partial = slices.ContainsFunc(r.Parts, func(p Part) bool { return len(p.Results) < sizes[p.Category.Name] })
		return named
	}
	if r.Path == "" {
		named.Kind = advise.Shards
		return named
	}
	switch stated, err := record.ReadRun(advise.FolderOf(r.Path)); {
	case err == nil:
		named.Kind, named.Stated = advise.Folder, stated
	case filepath.Ext(r.Path) != ".xml": // a folder of shards, or several names
		named.Kind = advise.Shards
	}
	return named
}

// askAgain says how the cases without an answer are asked again.
func askAgain(r *Run) string {
	if c, ok := r.Named().Resume(); ok {
		return "ask again: `" + c.String() + "`"
	}
	return "ask again with -resume, in the folder of the run or of each shard"
}
