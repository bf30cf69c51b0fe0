package evaluate

import (
	"path/filepath"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/parallel"
	"github.com/gobfcl/bfcl/internal/number/ladder"
)

// judge judges every case of every model, using all processors, and counts the
// right ones.
func (r *Report) judge() {
	type task struct {
		m *Model
		c *Category
		a *Answer
	}
	var tasks []task
	conversed := &conversed{several: len(r.Models) > 1}
	for _, m := range r.Models {
		m.conversed = conversed
		for _, c := range m.Categories {
			for i := range c.Answers {
				tasks = append(tasks, task{m, c, &c.Answers[i]})
			}
		}
	}
	parallel.Each(len(tasks), func(i int) { tasks[i].a.judge(tasks[i].m, tasks[i].c.Category) })
}

// judge also sets how far the answer got, which needs it decoded.
func (a *Answer) judge(m *Model, cat *eval.Category) {
	decoded, v := m.verdict(cat, a.Case, a.Row.Result)
	a.Verdict, a.Grade = v, ladder.Of(cat, a.Case, ladder.Answer{Result: a.Row.Result, Decoded: decoded, Settings: m.Settings}, v)
	if !a.Passed() {
		a.decoded = decoded
	}
}

// count counts the right answers.
func (r *Report) count() {
	for _, m := range r.Models {
		for _, c := range m.Categories {
			for i := range c.Answers {
				if c.Answers[i].Passed() {
					c.Correct++
				}
			}
		}
	}
}

// write writes score files and tables where upstream's release does.
func (r *Report) write(dir string) error {
	if !slices.ContainsFunc(r.Models, func(m *Model) bool { return len(m.Categories) > 0 }) {
		return nil
	}
	by := v4
	if r.v1 {
		by = v1
	}
	err := r.scoreFiles(by, func(m *Model, c *Category) string { return filepath.Join(dir, m.Name, by.file(c)) })
	if err != nil {
		return err
	}
	return r.tables(by, dir)
}
