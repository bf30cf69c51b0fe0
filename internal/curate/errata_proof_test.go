package curate_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/curate/fetch"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

// proof counts what was proved of a list.
type proof struct {
	// entries were checked, of which quoted have a quotation that stands in the
	// case, and amended an answer that is refused and passes with the amended
	// key.
	entries, quoted, amended int
	// faults say what does not hold.
	faults []string
}

// prove checks each entry against the dataset: its quotation stands in the case,
// and each answer that it accepts is refused and passes with the amended key, in
// the modes that it concerns. The key of a conversation must be one that an answer
// can meet.
func prove(l *errata.List, d *fixtures.Dataset) (*proof, error) {
	out := &proof{entries: len(l.Items)}
	left := map[string]*errata.Item{}
	for i := range l.Items {
		left[l.Items[i].ID] = &l.Items[i]
	}
	for _, cat := range categories.All() {
		if !d.Has(cat) || cat.Unscored || d.Retired(cat) {
			continue
		}
		cases, err := d.Cases(cat)
		if err != nil {
			return nil, err
		}
		for _, c := range cases {
			item := left[c.ID]
			if item == nil {
				continue
			}
			delete(left, c.ID)
			texts, err := readable(d, cat, c)
			if err != nil {
				return nil, err
			}
			for _, fault := range out.prove(item, cat, c, texts) {
				out.faults = append(out.faults, item.ID+": "+fault)
			}
		}
	}
	for id := range left {
		out.faults = append(out.faults, id+": the dataset has no such case")
	}
	slices.Sort(out.faults)
	return out, nil
}

// readable returns the texts that a case's quotation may be from. A question
// about a memory has the conversations before it.
func readable(d *fixtures.Dataset, cat *eval.Category, c *eval.Case) (string, error) {
	texts := textsOf(c)
	before, err := d.Prerequisites(cat)
	for _, earlier := range before {
		if slices.Contains(c.Needs, earlier.ID) {
			texts = append(texts, textsOf(earlier)...)
		}
	}
	return spaced(strings.Join(texts, "\n")), err
}

// textsOf returns what a reader of a case sees: its questions, documents and
// scenario.
func textsOf(c *eval.Case) (out []string) {
	for _, turn := range c.Turns {
		for _, m := range turn {
			out = append(out, m.Content)
		}
	}
	for _, doc := range c.Tools {
		out = collect(out, doc)
	}
	if c.Scene != nil {
		for _, docs := range c.Scene.HeldOut {
			for _, doc := range docs {
				out = collect(out, doc)
			}
		}
		if c.Scene.Config != nil {
			out = collect(out, c.Scene.Config)
		}
	}
	return out
}

// collect adds the texts and numbers in a value, and the keys of its dicts.
func collect(out []string, v pyval.Value) []string {
	switch v := v.(type) {
	case *pyval.Dict:
		for key, value := range v.All() {
			out = collect(append(out, pyval.Text(key)), value)
		}
	case *pyval.List:
		for _, item := range v.Items {
			out = collect(out, item)
		}
	default:
		out = append(out, pyval.Text(v))
	}
	return out
}

func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }

func (p *proof) prove(item *errata.Item, cat *eval.Category, c *eval.Case, texts string) (faults []string) {
	if item.Quote != "" {
		p.quoted++
		if !strings.Contains(texts, spaced(item.Quote)) {
			faults = append(faults, "its quotation does not stand in the case")
		}
	}
	if cat.Executes {
		if item.Amends() {
			faults = append(faults, "what an executable case accepts depends on its function")
		}
		return faults
	}
	for _, text := range item.Accepts {
		faults = append(faults, proveAnswer(item, cat, c, text)...)
	}
	if item.Amends() && len(faults) == 0 {
		p.amended++
	}
	return faults
}

// proveAnswer checks an answer that an entry accepts.
func proveAnswer(item *errata.Item, cat *eval.Category, c *eval.Case, text string) (faults []string) {
	if cat.MultiTurn() && !cat.Agentic() {
		if faults = unmet(cat, c, text); len(faults) > 0 {
			return faults
		}
	}
	for _, mode := range []eval.Mode{eval.FC, eval.Prompt} {
		s := eval.SettingsFor(mode)
		result, err := errata.Answered(cat, c, text, mode)
		if err != nil {
			return append(faults, err.Error())
		}
		_, v := cat.Verdict(c, result, s)
		passes, err := item.Accept(cat, c, result, s)
		switch {
		case err != nil:
			faults = append(faults, err.Error())
		case v.Passed() && item.Concerns(mode):
			faults = append(faults, fmt.Sprintf("%.200s is accepted today in %s mode", text, mode))
		case !passes && item.Concerns(mode):
			faults = append(faults, fmt.Sprintf("%.200s is refused by the amended key in %s mode", text, mode))
		}
	}
	return faults
}

// unmet returns the calls of an amended key that fail though the reference's own
// at their place do not: a right answer would have to fail like them. It plays
// both from the beginning, so that a reference's later turns are judged on the
// state that the amended turns leave.
func unmet(cat *eval.Category, c *eval.Case, text string) (faults []string) {
	amended, err := errata.Amended(cat, c, text)
	if err != nil {
		return []string{err.Error()}
	}
	failed := func(of *eval.Case) ([]map[string]string, error) {
		env, err := classes.All.Open(sim.Setup{Model: "errata", Entry: of.ID, Involved: of.Scene.Classes, Config: of.Scene.Config, World: sim.NewWorld(of.Scene.Long)})
		if err != nil {
			return nil, err
		}
		var out []map[string]string
		for _, turn := range of.Answer.Items {
			errs := map[string]string{}
			for _, call := range turn.(*pyval.List).Items {
				if result := env.Call(pyval.Text(call)).Text; sim.IsError(result) {
					errs[pyval.Text(call)] = result
				}
			}
			out = append(out, errs)
		}
		return out, nil
	}
	is, err := failed(amended)
	was, wrong := failed(c)
	if err = errors.Join(err, wrong); err != nil {
		return []string{err.Error()}
	}
	for turn, errs := range is {
		for call, why := range errs {
			if was[turn][call] != why {
				faults = append(faults, fmt.Sprintf("no answer can meet the amended key: in turn %d %s fails: %.200s; write the turn for the amended state", turn+1, call, why))
			}
		}
	}
	return faults
}

// TestGoldenErrata proves every entry from the official data.
func TestGoldenErrata(t *testing.T) {
	for _, name := range []string{"v4", "v1"} {
		d := testkit.Must(fixtures.Open(name, testkit.Shared(t, "bfcl")))(t)
		digest := testkit.Must(d.Digest())(t)
		list := testkit.Must(errata.For(digest))(t)
		require.NotNil(t, list, "no list of %s", name)
		assert.Equal(t, name, list.Dataset)
		proved := testkit.Must(prove(list, d))(t)
		assert.Empty(t, proved.faults)
		t.Logf("%s: %d entries, %d quotations, %d amended", name, proved.entries, proved.quoted, proved.amended)
	}
}

// TestHistory installs each release out of a clone of upstream's repository,
// $BFCL_UPSTREAM, whose digest is then the pinned one, and proves its errata.
func TestHistory(t *testing.T) {
	clone := os.Getenv("BFCL_UPSTREAM")
	if clone == "" {
		t.Skip("BFCL_UPSTREAM is not set: it names a clone of upstream's repository")
	}
	data := t.TempDir()
	for _, name := range fixtures.Officials() {
		pin := fixtures.Pinned(name)
		archive := filepath.Join(t.TempDir(), "upstream.tar.gz")
		made := exec.CommandContext(t.Context(), "git", "-C", clone, "archive", "--format=tar.gz", "--prefix=gorilla/", "-o", archive, pin.Commit, "berkeley-function-call-leaderboard", "LICENSE")
		require.NoError(t, made.Run(), pin.Commit)
		done, err := fetch.Run(t.Context(), fetch.Options{Dataset: name, Data: data, From: archive})
		require.NoError(t, err, name)
		assert.Equal(t, pin.Digest, done.Digest)
		d := testkit.Must(fixtures.Open(name, data))(t)
		list := testkit.Must(errata.For(done.Digest))(t)
		proved := testkit.Must(prove(list, d))(t)
		assert.Empty(t, proved.faults, name)
	}
}
