package report

import (
	"bytes"
	"compress/gzip"
	"encoding/ascii85"
	"encoding/json"
	"errors"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/parallel"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A pool holds each function document once: many cases share theirs.
type pool struct {
	at    map[*pyval.Dict]int
	texts map[string]int
	docs  []string
}

func (p *pool) add(doc *pyval.Dict) int {
	if i, ok := p.at[doc]; ok {
		return i
	}
	text := shownValue(doc, capText)
	i, ok := p.texts[text]
	if !ok {
		i = len(p.docs)
		p.docs = append(p.docs, text)
		p.texts[text] = i
	}
	p.at[doc] = i
	return i
}

// of fills in the places of a case's tools.
func (p *pool) of(c *eval.Case, d *detail) {
	seen := c.Tools // by models
	if c.Sent != nil {
		seen = c.Sent
	}
	for _, tool := range seen {
		d.Tools = append(d.Tools, p.add(tool))
	}
	for i := range c.Turns {
		if c.Scene != nil {
			for _, tool := range c.Scene.HeldOut[i] {
				d.Later = append(d.Later, p.add(tool))
			}
		}
	}
}

// chunkSize is about how many bytes of JSON are unpacked to show one case.
const chunkSize = 768 << 10

// A packer groups items of JSON into chunks.
type packer struct {
	chunks [][]byte // each item with a comma before it; nil once it is compressed
	done   []string // compressed chunks
	places int      // in the last chunk
}

// encoded returns the JSON of a value of texts and whole numbers.
func encoded(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// add adds an item and returns its chunk and its place in it.
func (p *packer) add(text []byte) (chunk, place int) {
	if chunk = len(p.chunks) - 1; chunk < 0 || len(p.chunks[chunk])+len(text) > chunkSize {
		p.chunks, p.places, chunk = append(p.chunks, make([]byte, 0, chunkSize)), 0, chunk+1
	}
	p.chunks[chunk] = append(append(p.chunks[chunk], ','), text...)
	p.places++
	return chunk, p.places - 1
}

// packed returns the compressed chunks.
func (p *packer) packed() ([]string, error) {
	err := p.compress(true)
	return p.done, err
}

// compress compresses the chunks that are full, or all, on all processors.
func (p *packer) compress(all bool) error {
	from, to := len(p.done), len(p.chunks)
	if !all {
		to-- // the last has room
	}
	if to <= from {
		return nil
	}
	p.done = append(p.done, make([]string, to-from)...)
	errs := make([]error, to-from)
	parallel.Each(to-from, func(i int) {
		list := append(p.chunks[from+i], ']')
		list[0] = '['
		p.done[from+i], errs[i] = pack(list)
		p.chunks[from+i] = nil
	})
	return errors.Join(errs...)
}

// unescaped are, in pairs, the letters of ASCII85 that would need an escape in a
// page, and those in their place.
var unescaped = strings.NewReplacer(`"`, "v", "&", "w", "<", "x", ">", "y", `\`, "{")

// pack compresses JSON into letters that need no escape in a page.
func pack(text []byte) (string, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(text); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	letters := make([]byte, ascii85.MaxEncodedLen(b.Len()))
	return unescaped.Replace(string(letters[:ascii85.Encode(letters, b.Bytes())])), nil
}
