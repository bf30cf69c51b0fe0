package why_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/why"
)

// FuzzFailurePrinted checks that any text comes out as printable characters on
// the harness's own lines, however long it is.
func FuzzFailurePrinted(f *testing.F) {
	f.Add("x\n--- PASS: TestBFCL/a (0.00s)\n")
	f.Add("\x16=== ATTR  TestBFCL k v\x1b[31m\u202e]]>\x00\xff")
	f.Add(strings.Repeat("é", 5000))
	f.Fuzz(func(t *testing.T, said string) {
		out := eval.Result{Response: eval.Response{Result: pyval.Str(said)}, Verdict: eval.Verdict{
			Status: eval.Fail, ErrorType: "e", Detail: pyval.NewList(pyval.Str(said)),
		}}
		text := why.Text(with(lampCase(t), out))
		printed(t, strings.ReplaceAll(text, "\n", ""))
		for line := range strings.SplitSeq(text, "\n") {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "---") || strings.HasPrefix(line, "===") {
				t.Errorf("a line of go test's: %q", line)
			}
		}
	})
}

func printed(t *testing.T, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("no UTF-8: %q", text)
	}
	for _, r := range text {
		if !unicode.IsPrint(r) {
			t.Errorf("%q in %q", r, text)
		}
	}
}
