package report

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/version"
)

//go:embed page
var files embed.FS

// scripts in the order of the page.
var scripts = []string{"base.js", "board.js", "state.js", "cases.js", "groups.js", "detail.js", "talk.js", "take.js", "pair.js", "keys.js", "start.js"}

var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page.html.tmpl").Funcs(template.FuncMap{
		"flips": func(title string, flips flipView, run int) any {
			return struct {
				Title string
				Flips flipView
				Run   int
			}{title, flips, run}
		},
		"percent": func(x float64) string { return fmt.Sprintf("%.2f", 100*x) },
		"change":  func(x float64) string { return say.Signed("%+.2f", 100*x) },
		"adds":    func(x float64) string { return say.Signed("%+.2f", x) },
		"points":  func(x float64) string { return say.Signed("%+.2f", compare.Rounded(x)) },
		"span":    func(d *compare.Difference) string { return compare.Interval(d.Low, d.High) },
		"pvalue":  compare.PValue,
		"level":   compare.Level,
	}).ParseFS(files, "page/page.html.tmpl"))
})

func script() string {
	var b strings.Builder
	b.WriteString("(() => {\n'use strict';\n")
	for _, name := range scripts {
		b.Write(read(name))
	}
	b.WriteString("})();\n")
	return b.String()
}

func style() string {
	return ":root{color-scheme:light;" + Light + "}\n" +
		"@media (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;" + Dark + "}}\n" +
		":root[data-theme=dark]{color-scheme:dark;" + Dark + "}\n" +
		"@media print{:root:root:root{color-scheme:light;" + Light + "}}\n" +
		Rules + string(read("page.css"))
}

func read(name string) []byte {
	data, err := files.ReadFile("page/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return data
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// A view holds the values that the template shows.
type view struct {
	Title, Policy, Version string
	Script                 template.JS
	Style                  template.CSS
	Dataset, Digest        string
	Lack                   string
	Warnings, Notes        []string
	Answer                 *runView  // the first screen of one run
	Pair                   *pairView // and of two
	Columns                []column
	Rows                   []row
	Ranks                  string // the meaning of the column "#"
	Ranked                 bool   // the best run stands first
	Groups                 []node
	Ladder                 *grid
	Bars                   []barsView
	Runs                   []*Entry
	Partial                bool
	Failed                 bool // whether any answer failed
	Single                 []singleRow
	Index                  string
	Chunks                 []string
}

// HTML writes the page.
func (r *Report) HTML(w io.Writer) error {
	book, err := newBook(r.Entries, r.Layout, r.Digest, r.answers)
	if err != nil {
		return err
	}
	v, err := r.view(book)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := page().Execute(&b, v); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

func (r *Report) view(book *book) (v *view, err error) {
	js, css := script(), style()
	v = &view{
		Title: fmt.Sprintf("BFCL %s: %s", r.title(), say.Count(len(r.Entries), "run", "runs")), Version: version.String(),
		Policy: fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; base-uri 'none'; form-action 'none'", digest(js), digest(css)),
		Script: template.JS(js), Style: template.CSS(css), // our own files
		Dataset: r.title(), Digest: fmt.Sprintf("%.12s", say.Printable(r.Digest, 200)), Lack: r.lack(), Warnings: r.warnings(), Notes: r.notes(),
		Runs: r.Entries, Partial: r.partial(),
	}
	v.Columns, v.Rows = r.table()
	v.Ranks, v.Ranked = r.aboutRanks(), !r.any((*Entry).unranked)
	v.Failed, v.Single = len(book.Causes) > 0, r.single()
	v.Ladder = r.ladder()
	for _, n := range r.nodes {
		if n.Top && len(r.Entries) > 2 {
			v.Bars = append(v.Bars, r.bars(n))
		}
		if n.depth == 1 && len(n.Parts) > 0 {
			v.Groups = append(v.Groups, n)
		}
	}
	if len(r.Entries) == 1 {
		if v.Answer, err = book.answer(r); err != nil {
			return nil, err
		}
	}
	pairs := book.pairs(r)
	if len(v.Runs) == 2 && len(pairs) > 0 {
		v.Pair = pairs[0]
	}
	if err := book.packPairs(pairs); err != nil {
		return nil, err
	}
	index, err := json.Marshal(&book.index)
	if err != nil {
		return nil, err
	}
	if v.Index, err = pack(index); err != nil {
		return nil, err
	}
	v.Chunks, err = book.packer.packed()
	return v, err
}
