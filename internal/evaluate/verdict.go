package evaluate

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pyval"
	"github.com/gobfcl/bfcl/internal/record"
)

// judge judges every case of every model, all processors at once.
func (r *Report) judge() {
	type task struct {
		m        *Model
		c        *Category
		from, to int
	}
	var tasks []task
	conversed := &conversed{several: len(r.Models) > 1}
	for _, m := range r.Models {
		m.conversed = conversed
		for _, c := range m.Categories {
			for from := 0; from < c.Total; from += batch {
				tasks = append(tasks, task{m, c, from, min(from+batch, c.Total)})
			}
		}
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(tasks); i = next.Add(1) - 1 {
				t := tasks[i]
				for k := t.from; k < t.to; k++ {
					t.c.judge(t.m, t.c.cases[k], k, r.scoreLine())
				}
			}
		})
	}
	wg.Wait()
	for _, m := range r.Models {
		for _, c := range m.Categories {
			for _, v := range c.Verdicts {
				if v.Passed() {
					c.Correct++
				}
			}
		}
	}
}

func (c *Category) judge(m *Model, item *eval.Case, k int, line scoreLiner) {
	row := c.rows[k]
	decoded, verdict := c.verdict(m, item, row.Result)
	c.Verdicts[k] = Verdict{row.ID, verdict}
	c.grades[k] = c.grade(m, item, row.Result, decoded, verdict)
	if !verdict.Passed() {
		c.lines[k] = line(m, c, item, row, decoded, verdict)
	}
}

// A scoreLiner writes a failed case as a release's evaluator does.
type scoreLiner func(m *Model, c *Category, item *eval.Case, row record.Row, decoded pyval.Value, v eval.Verdict) []byte

func (r *Report) scoreLine() scoreLiner {
	if r.v1 {
		return v1Line
	}
	return scoreLine
}

// write puts the score files where upstream puts them.
func (r *Report) write(dir string) error {
	if r.v1 {
		return r.writeV1(dir)
	}
	for _, m := range r.Models {
		for _, c := range m.Categories {
			path := filepath.Join(dir, m.Name, c.Group, "BFCL_v4_"+c.Name+"_score.json")
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := record.WriteFile(path, c.scoreFile()...); err != nil {
				return err
			}
		}
	}
	return r.writeTables(dir)
}
