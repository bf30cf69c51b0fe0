package tally

import (
	"path/filepath"
	"slices"

	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/record/advise"
)

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
func (r *Run) askAgain() string {
	if c, ok := r.Named().Resume(); ok {
		return "ask again: `" + c.String() + "`"
	}
	return "ask again with -resume, in the folder of the run or of each shard"
}
