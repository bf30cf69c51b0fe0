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
		{Name: "memory_append", Params: sim.Params("text"), Call: sim.On(func(m *recSum, args []pyval.Value) pyval.Value {
			more := sim.Text("{}", args[0])
			if codePoints(m.text)+codePoints(more) > maxRecSum {
				return refuseLong("appending")
			}
			m.text += more
			return sim.Answer("status", "Memory appended.")
		})},
		{Name: "memory_clear", Call: sim.On(func(m *recSum, _ []pyval.Value) pyval.Value {
			m.text = ""
			return sim.Answer("status", "Short term memory cleared.")
		})},
		// Checks only the new text's length, as upstream does: the whole can
		// grow beyond its bound.
		{Name: "memory_replace", Params: sim.Params("old_text", "new_text"), Call: sim.On(func(m *recSum, args []pyval.Value) pyval.Value {
			old, new := sim.Text("{}", args[0]), sim.Text("{}", args[1])
			if !strings.Contains(m.text, old) {
				return sim.Fail("Text '" + old + "' not found in memory.")
			}
			if codePoints(new) > maxRecSum {
				return refuseLong("replacing")
			}
			places := strings.Count(m.text, old)
			if old == "" {
				places = codePoints(m.text) + 1
			}
			if len(m.text)+places*(len(new)-len(old)) > maxText {
				panic(sim.Raise("MemoryError", "the memory takes too much memory"))
			}
			m.text = replaceAll(m.text, old, new)
			return sim.Answer("status", "Memory updated.")
		})},
		{Name: "memory_retrieve", Call: sim.On(func(m *recSum, _ []pyval.Value) pyval.Value {
			if m.text == "" {
				return sim.Fail("Memory is empty.")
			}
			return sim.Answer("memory_content", m.text)
		})},
		{Name: "memory_update", Params: sim.Params("text"), Call: sim.On(func(m *recSum, args []pyval.Value) pyval.Value {
			text := sim.Text("{}", args[0])
			if codePoints(text) > maxRecSum {
				return refuseLong("updating")
			}
			m.text = text
			return sim.Answer("status", "Memory updated.")
		})},
	},
	New: sim.New(func(scenario *pyval.Dict, _ *sim.World) sim.Instance {
		m := &recSum{}
		if before := snapshotOf(scenario); before != nil {
			text, ok := before.Text(memoryField)
			if !ok {
				refuse("the snapshot's %q is missing or not a string", memoryField)
			}
			m.text = text
		}
		return m
	}),
}

const memoryField = "memory"

// A recSum is one text.
type recSum struct{ text string }

const (
	maxRecSum = 10000 // code points of the text

	// maxText bounds the text in bytes. Upstream's own bound can be exceeded by
	// replacing.
	maxText = 1 << 24
)

func refuseLong(doing string) pyval.Value {
	return sim.Fail("Entry will be too long after " + doing + ". Please shorten the entry to less than 10000 characters.")
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

// Backend returns the name in prompts.
func (*recSum) Backend() string { return "memory_rec_sum" }

// State implements sim.Instance.
func (m *recSum) State() *pyval.Dict { return m.Snapshot() }

// Snapshot implements Memory.
func (m *recSum) Snapshot() *pyval.Dict { return sim.Answer(memoryField, pyval.Str(m.text)) }

// Context implements Memory.
func (m *recSum) Context() (string, error) { return m.text, nil }
