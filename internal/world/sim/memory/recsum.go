package memory

import (
	_ "embed"

	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

//go:embed memory_rec_sum.json
var recSumDoc string

// RecSum is upstream's MemoryAPI_rec_sum.
var RecSum = &sim.Class{
	Name: RecSumClass, DocFile: "memory_rec_sum.json", Doc: recSumDoc, Stateless: true,
	Methods: []sim.Method{
		{Name: "memory_append", Params: sim.Required("text"), Call: sim.On((*recSum).extend)},
		{Name: "memory_clear", Call: sim.On((*recSum).clear)},
		{Name: "memory_replace", Params: sim.Required("old_text", "new_text"), Call: sim.On((*recSum).replace)},
		{Name: "memory_retrieve", Call: sim.On((*recSum).retrieve)},
		{Name: "memory_update", Params: sim.Required("text"), Call: sim.On((*recSum).update)},
	},
	New: func(scenario *pyval.Dict, _ *sim.World) (sim.Instance, error) {
		m := &recSum{}
		before, err := snapshotOf(scenario)
		if err == nil && before != nil {
			m.text, err = text(before, memoryField)
		}
		return m, err
	},
}

const memoryField = "memory"

// A recSum is one text.
type recSum struct{ text string }

// maxRecSum bounds the text in code points.
const maxRecSum = 10000

func refuseLong(doing string) pyval.Value {
	return sim.Fail("Entry will be too long after " + doing + ". Please shorten the entry to less than 10000 characters.")
}

func (m *recSum) extend(args []pyval.Value) (pyval.Value, error) {
	more, err := sim.Text(args[0])
	if err != nil {
		return nil, err
	}
	if codePoints(m.text)+codePoints(more) > maxRecSum {
		return refuseLong("appending"), nil
	}
	m.text += more
	return status("Memory appended."), nil
}

func (m *recSum) update(args []pyval.Value) (pyval.Value, error) {
	text, err := sim.Text(args[0])
	if err != nil {
		return nil, err
	}
	if codePoints(text) > maxRecSum {
		return refuseLong("updating"), nil
	}
	m.text = text
	return status("Memory updated."), nil
}

// replace checks only the new text's length, as upstream does: the whole can
// grow beyond its bound.
func (m *recSum) replace(args []pyval.Value) (pyval.Value, error) {
	old, new, err := twoTexts(args)
	if err != nil {
		return nil, err
	}
	if !strings.Contains(m.text, old) {
		return sim.Fail("Text '" + old + "' not found in memory."), nil
	}
	if codePoints(new) > maxRecSum {
		return refuseLong("replacing"), nil
	}
	places := strings.Count(m.text, old)
	if old == "" {
		places = codePoints(m.text) + 1
	}
	if len(m.text)+places*(len(new)-len(old)) > maxText {
		return nil, errTooLong
	}
	m.text = replaceAll(m.text, old, new)
	return status("Memory updated."), nil
}

// replaceAll is Python's s.replace(old, new): an empty old matches around every
// character.
func replaceAll(s, old, new string) string {
	if old != "" {
		return strings.ReplaceAll(s, old, new)
	}
	var b strings.Builder
	b.WriteString(new)
	for s != "" {
		_, size := pyval.DecodeRune(s)
		b.WriteString(s[:size])
		b.WriteString(new)
		s = s[size:]
	}
	return b.String()
}

func (m *recSum) retrieve([]pyval.Value) (pyval.Value, error) {
	if m.text == "" {
		return sim.Fail("Memory is empty."), nil
	}
	return sim.Answer("memory_content", pyval.Str(m.text)), nil
}

func (m *recSum) clear([]pyval.Value) (pyval.Value, error) {
	m.text = ""
	return status("Short term memory cleared."), nil
}

// Backend returns the name in prompts.
func (*recSum) Backend() string { return "memory_rec_sum" }

// State implements sim.Instance.
func (m *recSum) State() *pyval.Dict { return m.Snapshot() }

// Snapshot implements Memory.
func (m *recSum) Snapshot() *pyval.Dict { return sim.Answer(memoryField, pyval.Str(m.text)) }

// Context implements Memory.
func (m *recSum) Context() (string, error) { return m.text, nil }
