package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/kit/near"
	"github.com/gobfcl/bfcl/internal/kit/plainfile"
	"github.com/gobfcl/bfcl/internal/kit/yamlfile"
)

// NotesFile is the file, beside a run's results, in which people keep what they
// found out about its cases: each id with a mark, or a mark and a text. It
// changes no verdict.
const NotesFile = "notes.yaml"

// Marks say where a case's failure comes from.
var Marks = []string{"model", "server", "benchmark", "unsure"}

// A Note is what a person found out about a case.
type Note struct {
	Mark string `json:"mark"`
	Text string `json:"text,omitempty"`
}

// String returns the note in one line, as ParseNote takes it.
func (n Note) String() string {
	if n.Text == "" {
		return n.Mark
	}
	return n.Mark + ": " + n.Text
}

// ParseNote reads a mark, or a mark, a colon and a text.
func ParseNote(s string) (Note, error) {
	mark, text, _ := strings.Cut(s, ":")
	n := Note{strings.TrimSpace(mark), strings.Join(strings.Fields(text), " ")}
	if !slices.Contains(Marks, n.Mark) {
		return n, fmt.Errorf("a note is a mark (%s), a colon and a text, not %.80q%s", strings.Join(Marks, ", "), s, near.Propose(near.Names(n.Mark, Marks)))
	}
	return n, nil
}

// ReadNotes reads the notes in a folder, by case id; none if there is no file.
// Ids that are not among the known ones are refused, unless known is nil. The
// error has a line for each fault; the other notes are returned all the same.
func ReadNotes(dir string, known []string) (map[string]Note, error) {
	path := filepath.Join(dir, NotesFile)
	data, err := plainfile.Read(path, yamlfile.MaxBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r := yamlfile.New(path)
	have, out := map[string]bool{}, map[string]Note{}
	for _, id := range known {
		have[id] = true
	}
	if doc := r.Parse(data); doc != nil {
		r.Pairs(doc, "notes", func(id string, k, v *yaml.Node) {
			n, err := noteOf(r.Follow(v))
			switch {
			case known != nil && !have[id]:
				r.Fault(k, "the run has no case %.100q%s", id, near.Propose(near.Names(id, known)))
			case err != nil:
				r.Fault(v, "%.100q: %v", id, err)
			default:
				out[id] = n
			}
		})
	}
	return out, r.Err()
}

// noteOf reads a mark, or a mapping of a mark to a text.
func noteOf(v *yaml.Node) (Note, error) {
	var one map[string]string
	var mark string
	if v == nil || v.Decode(&mark) != nil && v.Decode(&one) != nil || v.Kind == yaml.MappingNode && len(one) != 1 {
		return Note{}, fmt.Errorf("want a mark (%s), or a mark with a text", strings.Join(Marks, ", "))
	}
	for name, text := range one {
		mark = name + ":" + text
	}
	return ParseNote(mark)
}

// WriteNote puts a note on a case into the file of a folder, in place of an
// earlier one. Other notes and comments stay; a file with faults is left alone.
func WriteNote(dir, id string, n Note) error {
	if _, err := ReadNotes(dir, nil); err != nil {
		return err
	}
	path := filepath.Join(dir, NotesFile)
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var doc, one yaml.Node
	var value any = n.Mark
	if n.Text != "" {
		value = map[string]string{n.Mark: n.Text}
	}
	if err := errors.Join(yaml.Unmarshal(data, &doc), one.Encode(map[string]any{id: value})); err != nil {
		return err
	}
	var before []byte
	if doc.Kind == 0 && len(data) > 0 { // only comments, which are no part of a document
		before = append(data, '\n')
	}
	if doc.Kind == 0 || yamlfile.IsNull(doc.Content[0]) {
		doc = one
	} else if all := doc.Content[0]; !replaced(all, one.Content) {
		all.Content = append(all.Content, one.Content...)
	}
	text, err := yaml.Marshal(&doc)
	return errors.Join(err, WriteFile(path, before, text))
}

// replaced puts a value in the place of its key's; false if there is no such key.
func replaced(all *yaml.Node, pair []*yaml.Node) bool {
	for i := 0; i < len(all.Content); i += 2 {
		if all.Content[i].Value == pair[0].Value {
			all.Content[i+1] = pair[1]
			return true
		}
	}
	return false
}
