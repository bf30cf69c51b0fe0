package suite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/shard"
	"github.com/gobfcl/bfcl/internal/world/embed"
)

// Check finds what Open would refuse, before anything is built or written. It
// does not open the adapter.
func Check(o Options) (*Selection, error) {
	if o.Trials < 1 {
		return nil, fmt.Errorf("-trials must be at least 1, not %d", o.Trials)
	}
	if err := loadEnv(o.Root); err != nil {
		return nil, err
	}
	if embedder, err := embed.Open(o.Embedder, os.Getenv); err != nil {
		return nil, err
	} else if err := embedder.Close(); err != nil {
		return nil, err
	}
	if Tag(o) == "" { // a model behind a build tag is checked by the build that has it
		m, err := resolve(o)
		if err != nil {
			return nil, err
		}
		if n := m.concurrency(o); n < 1 {
			return nil, fmt.Errorf("-concurrency must be at least 1, not %d", n)
		}
		if m.kind.Remote {
			if _, err := m.entry.Access(catalog.Process()); err != nil {
				return nil, err
			}
		}
	}
	if _, err := eval.ParseMode(o.Mode); err != nil {
		return nil, err
	}
	part, err := shard.Parse(o.Shard)
	if err != nil {
		return nil, fmt.Errorf("-shard: %w", err)
	}
	dataset, err := fixtures.Open(o.Dataset, o.Data)
	if err != nil {
		return nil, err
	}
	ids, err := ReadIDs(o.IDs)
	if err != nil {
		return nil, err
	}
	selection, err := Select(dataset, o.Categories, ids)
	if err != nil {
		return nil, err
	}
	if err := checkWeb(o, selection); err != nil {
		return nil, err
	}
	selection.Divide(part)
	return selection, nil
}

// RunDir is the folder of a run that must have one: -run-dir, or
// results/<model> below the root, for the oracle too. Shards have folders of
// their own in it.
func RunDir(o Options) string {
	if o.RunDir != "" {
		return o.RunDir
	}
	dir := filepath.Join(o.Root, "results", FolderName(o.Model))
	if part, err := shard.Parse(o.Shard); err == nil && !part.Whole() {
		dir = filepath.Join(dir, fmt.Sprintf("shard-%d-of-%d", part.Index, part.Count))
	}
	return dir
}

// MakeRoom moves a run that lies in the folder aside, as Open does, and tells
// so in a note; "" where there was none.
func MakeRoom(dir string) (note string, err error) {
	have, err := record.ReadRun(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("run folder: %w (remove it, or choose another -run-dir)", err)
	}
	s := &Suite{Dir: dir}
	if err := s.moveAside(have); err != nil {
		return "", err
	}
	return s.Notes[0], nil
}
