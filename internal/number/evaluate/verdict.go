package evaluate

import (
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// judge judges every case of every model, using all processors.
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
	each(len(tasks), func(i int) {
		t := tasks[i]
		for k := t.from; k < t.to; k++ {
			t.c.judge(t.m, k)
		}
	})
}

// count counts the right answers.
func (r *Report) count() {
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

// each starts tasks in their order, using all processors.
func each(tasks int, do func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), tasks) {
		wg.Go(func() {
			for i := next.Add(1) - 1; int(i) < tasks; i = next.Add(1) - 1 {
				do(int(i))
			}
		})
	}
	wg.Wait()
}

func (c *Category) judge(m *Model, k int) {
	item, row := c.cases[k], c.rows[k]
	decoded, verdict := c.verdict(m, item, row.Result)
	c.Verdicts[k] = Verdict{row.ID, verdict}
	c.grades[k] = c.grade(m, item, row.Result, decoded, verdict)
	if !verdict.Passed() {
		c.decoded[k] = decoded
	}
}

// write writes the score files where upstream does, if there is a score folder.
func (r *Report) write(dir string) error {
	if !slices.ContainsFunc(r.Models, func(m *Model) bool { return len(m.Categories) > 0 }) {
		return nil
	}
	if r.v1 {
		return r.writeV1(dir)
	}
	err := r.scoreFiles(scoreLine, "\n", func(m *Model, c *Category) string {
		return filepath.Join(dir, m.Name, c.Group, scorePrefix+c.Name+scoreSuffix)
	})
	if err != nil {
		return err
	}
	return r.writeTables(dir)
}
