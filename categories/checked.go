package categories

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
)

// checked are the categories whose answers upstream's ast_checker judges.
var checked = map[*eval.Category]language{
	simplePython: python, simpleJava: java, simpleJavaScript: javaScript,
	multiple: python, parallel: python, parallelMultiple: python,
	liveSimple: python, liveMultiple: python, liveParallel: python, liveParallelMultiple: python,
	formatSensitivity: python,
	v1Simple:          python, v1Java: java, v1JavaScript: javaScript,
	v1Multiple: python, v1Parallel: python, v1ParallelMultiple: python, v1SQL: python,
}

// Checked are the options with which the category's judge compares calls with
// possible answers; false for a category that is judged otherwise.
func Checked(cat *eval.Category, c *eval.Case, s eval.Settings) (judge.Options, bool) {
	l, ok := checked[ruleOf(cat)]
	if !ok {
		return judge.Options{}, false
	}
	o := judge.Options{Language: l.checks, Category: cat.RuleName(), UnderscoreToDot: s.UnderscoreToDot}
	switch {
	case cat == formatSensitivity:
		o.Category = posedCategory(c.ID)
	case cat.Group == firstRelease:
		o.Variant = judge.V1
	}
	return o, true
}

// IsChecked reports whether a category's answers are compared call by call with
// possible answers.
func IsChecked(cat *eval.Category) bool {
	_, ok := checked[ruleOf(cat)]
	return ok
}
