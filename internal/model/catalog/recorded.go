package catalog

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/record"
)

// Reading returns how a folder's answers are read: as its run.json says, or
// else as the model of that name on the first or the current leaderboard writes
// calls, or else as their mode implies.
func (c *Catalog) Reading(f *record.Folder, mode eval.Mode) (eval.Settings, error) {
	run, err := f.Run()
	if err != nil {
		return eval.Settings{}, err
	}
	if run != nil {
		return run.Settings(), nil
	}
	if s, ok := f.V1Settings(mode); ok {
		return s, nil
	}
	positional := func(category string) bool { return record.Positional(f.Files[category]) } // a file of the first release
	if e, ok := c.Recorded(f.Name()); ok && !slices.ContainsFunc(sorted(f.Files), positional) {
		return e.Reading(), nil
	}
	return eval.SettingsFor(mode), nil
}

// Knows reports whether a folder is named after a model, of the leaderboards or
// of one's own.
func (c *Catalog) Knows(folder string) bool {
	_, v1 := dialect.ForModel(folder)
	return v1 || slices.ContainsFunc(sorted(c.about(folder).entries), func(name string) bool { return name == folder || folderName(name) == folder })
}

// Recorded returns the model whose result files are in a folder of the given
// name: upstream writes the model's name with "_" for "/". It finds only models
// with a known dialect.
func (c *Catalog) Recorded(folder string) (Entry, bool) {
	c = c.about(folder)
	if e, ok := c.entries[folder]; ok && e.Dialect != "" {
		return e.clone(), true
	}
	for _, name := range sorted(c.entries) {
		if e := c.entries[name]; e.Dialect != "" && folderName(name) == folder {
			return e.clone(), true
		}
	}
	return Entry{}, false
}

// about returns a catalogue that has at least the models of a folder's name: of
// the embedded files, it reads no more.
func (c *Catalog) about(folder string) *Catalog {
	if c.entries != nil {
		return c
	}
	return ofTexts(part(servers, folder), part(embedded, folder))
}

// part returns an embedded file of models with blank lines in place of those
// that are of another folder, except those with anchors, to which others refer;
// nil if none is of that folder.
func part(file []byte, folder string) []byte {
	var out []byte
	found := false
	lines := bytes.SplitAfter(file, []byte("\n"))
	for i, end := 0, 0; i < len(lines); i = end {
		for end++; end < len(lines) && (len(lines[end]) < 3 || string(lines[end][:2]) != "  " || lines[end][2] == ' '); {
			end++
		}
		model := bytes.Join(lines[i:end], nil)
		name, _, _ := strings.Cut(strings.TrimSpace(string(lines[i])), ":")
		its := name == folder || folderName(name) == folder
		if found = found || its; i > 0 && !its && !bytes.Contains(model, []byte(" &")) {
			model = bytes.Repeat([]byte("\n"), end-i)
		}
		out = append(out, model...)
	}
	if !found {
		return nil
	}
	return out
}

// folderName returns the name of upstream's folder for a model's results.
func folderName(model string) string { return strings.ReplaceAll(model, "/", "_") }

// Reading returns how upstream's result files of the model are read.
func (e Entry) Reading() eval.Settings {
	s := eval.SettingsFor(e.Mode)
	s.Dialect = e.Dialect
	if e.UnderscoreToDot != nil {
		s.UnderscoreToDot = *e.UnderscoreToDot
	}
	return s
}
