package catalog

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
)

// Recorded is the model whose result files lie in a folder of that name:
// upstream writes the model's name with "_" for "/". Only models whose dialect
// is known are found.
func (c *Catalog) Recorded(folder string) (Entry, bool) {
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

// folderName is the folder in which upstream keeps a model's results.
func folderName(model string) string { return strings.ReplaceAll(model, "/", "_") }

// Reading is how upstream's result files of the model are read.
func (e Entry) Reading() eval.Settings {
	s := eval.SettingsFor(e.Mode)
	s.Dialect = e.Dialect
	if e.UnderscoreToDot != nil {
		s.UnderscoreToDot = *e.UnderscoreToDot
	}
	return s
}
