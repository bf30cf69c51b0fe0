package tally

import (
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/record/advise"
)

// Named returns the run as proposed commands name it.
func (r *Run) Named() advise.Run {
	named := advise.Run{Path: r.Path, Kind: advise.JUnit}
	if r.Upstream {
		named.Kind, named.Dataset, named.Data = advise.Upstream, r.Dataset, r.DataDir
		return named
	}
	if stated, err := record.ReadRun(advise.FolderOf(r.Path)); err == nil {
		named.Kind, named.Stated = advise.Folder, stated
	}
	return named
}
