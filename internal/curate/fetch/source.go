package fetch

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/gobfcl/bfcl/internal/plainfile"
)

// leaderboard is the folder of the benchmark in upstream's repository.
const leaderboard = "berkeley-function-call-leaderboard"

// limits bound what an archive can make us do.
type limits struct {
	download int64 // bytes of an archive
	entries  int   // entries of an archive
	file     int64 // bytes of one file that is kept
	kept     int64 // bytes of all files that are kept
	unpacked int64 // bytes of all that an archive unpacks to
}

var defaultLimits = limits{
	download: 2 << 30, entries: 500_000, file: 64 << 20, kept: 512 << 20, unpacked: 16 << 30,
}

// A tree holds the needed files of a source, by their paths below the
// leaderboard's folder. LICENSE is the repository's.
type tree struct {
	ctx     context.Context
	limits  limits
	files   map[string][]byte
	kept    int64
	entries int
}

// open reads the files of an archive as tar.gz.
func (f *fetcher) open(ctx context.Context, from string) (*tree, error) {
	t := &tree{ctx: ctx, limits: f.limits, files: map[string][]byte{}}
	if info, err := os.Stat(from); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder; of a checkout make an archive: git archive --prefix=gorilla/ -o gorilla.tar.gz %s", from, f.pin.Commit)
	}
	file, err := plainfile.Open(from)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	if err := t.readTar(file); err != nil {
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	if len(t.files) == 0 {
		return nil, fmt.Errorf("%s: it has no files of %s: expected an archive of ShishirPatil/gorilla", from, leaderboard)
	}
	return t, nil
}

// A meter ends a stream that unpacks to too much data or whose fetch is
// interrupted.
type meter struct {
	r    io.Reader
	t    *tree
	done int64
}

func (m *meter) Read(p []byte) (int, error) {
	if err := m.t.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := m.r.Read(p)
	m.done += int64(n)
	if m.done > m.t.limits.unpacked {
		return n, fmt.Errorf("the archive unpacks to too much data, over %d bytes", m.t.limits.unpacked)
	}
	return n, err
}

func (t *tree) readTar(file io.Reader) error {
	unzipped, err := gzip.NewReader(bufio.NewReader(file))
	if err != nil {
		return fmt.Errorf("not a complete tar.gz: %w", err)
	}
	all := &meter{r: unzipped, t: t}
	archive := tar.NewReader(all)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			_, err = io.Copy(io.Discard, all) // the checksum is at the end
			return truncated(err)
		}
		if err != nil {
			return truncated(err)
		}
		err = t.entry(header.Name)
		place, needed := wanted(header.Name)
		switch kind := header.Typeflag; {
		case err != nil || !needed || kind == tar.TypeXGlobalHeader || kind == tar.TypeDir:
		case kind == tar.TypeReg:
			err = t.keep(place, header.Size, archive)
		default:
			err = fmt.Errorf("%.200q is a link or a device where a file must be", header.Name)
		}
		if err != nil {
			return truncated(err)
		}
	}
}

// truncated gives the error for a cut-off archive in plain words.
func truncated(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the archive is cut off")
	}
	return err
}

// entry counts an entry and refuses paths that lead out of the archive.
func (t *tree) entry(name string) error {
	if err := t.ctx.Err(); err != nil {
		return err
	}
	if t.entries++; t.entries > t.limits.entries {
		return fmt.Errorf("the archive has more than %d entries", t.limits.entries)
	}
	clean := strings.TrimSuffix(name, "/")
	switch {
	case strings.HasPrefix(name, "/") || strings.ContainsAny(name, "\\\x00") || len(name) > 1 && name[1] == ':':
		return fmt.Errorf("the archive has the path %.200q, which is absolute or not valid in an archive", name)
	case clean != "pax_global_header" && !fs.ValidPath(strings.TrimPrefix(clean, "./")):
		return fmt.Errorf("the archive has the path %.200q, which leads out of it", name)
	}
	return nil
}

// keep reads a file that is needed.
func (t *tree) keep(place string, size int64, content io.Reader) error {
	if size > t.limits.file || t.kept+size > t.limits.kept {
		return fmt.Errorf("%.200q is too large: %d bytes", place, size)
	}
	if _, twice := t.files[place]; twice {
		return fmt.Errorf("%.200q appears twice in the archive", place)
	}
	data, err := io.ReadAll(io.LimitReader(content, t.limits.file+1))
	switch {
	case err != nil:
		return fmt.Errorf("%.200q: %w", place, err)
	case int64(len(data)) > t.limits.file:
		return fmt.Errorf("%.200q is larger than declared", place)
	}
	t.kept += int64(len(data))
	t.files[place] = data
	return nil
}

// wanted returns the place of a source's file below the leaderboard's folder;
// false if it is not needed. An archive has all files in one folder.
func wanted(name string) (string, bool) {
	name = strings.TrimPrefix(name, "./")
	before, inside, ok := strings.Cut("/"+name, "/"+leaderboard+"/")
	if !ok {
		if path.Base(name) == license && strings.Count(name, "/") <= 1 {
			return license, true
		}
		return "", false
	}
	if strings.Count(before, "/") > 1 {
		return "", false
	}
	return inside, useful(inside)
}

const license = "LICENSE"

// useful reports whether a file below the leaderboard's folder may be needed:
// the data of any release, and the sources that define constants.
func useful(inside string) bool {
	switch {
	case strings.HasPrefix(inside, v4Data), strings.HasPrefix(inside, "data/"), strings.HasPrefix(inside, "eval_checker/"):
		ext := path.Ext(inside)
		return ext == ".json" || ext == ".jsonl" || ext == ".md"
	}
	return (strings.HasPrefix(inside, "bfcl_eval/") || strings.HasPrefix(inside, "bfcl/")) && path.Ext(inside) == ".py"
}
