package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
)

// FuzzCalls types anything into `bfcl serve --call -`: it ends, and prints nothing that a
// terminal obeys.
func FuzzCalls(f *testing.F) {
	f.Add("mkdir(dir_name='x')\n:state\n[cd(folder='x'), pwd()]")
	f.Add("# a remark\n:help\n:nonsense")
	f.Add("echo(content='\x1b[31m\\x1b[0m', file_name='f')\ncat('f')\n:quit")
	f.Fuzz(func(t *testing.T, typed string) {
		var out, errs bytes.Buffer
		code := Main([]string{"serve", "GorillaFileSystem", "--call=-"}, strings.NewReader(typed), &out, &errs)
		if code < 0 || code > exitMisuse {
			t.Fatalf("exit code %d", code)
		}
		for _, r := range out.String() + errs.String() {
			if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
				t.Fatalf("%q is printed: %q %q", r, out.String(), errs.String())
			}
		}
	})
}

// FuzzDecode reads answers from standard input.
func FuzzDecode(f *testing.F) {
	f.Add("[f(x=1)]", "python")
	f.Add(`[{"f": "{\"x\": 1}"}]`, "fc")
	f.Fuzz(func(t *testing.T, answer, format string) {
		var out, errs bytes.Buffer
		_ = Main([]string{"judge", "--decode", "--format=" + format, "-"}, strings.NewReader(answer), &out, &errs)
		for _, r := range errs.String() {
			if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
				t.Fatalf("%q is printed: %q", r, errs.String())
			}
		}
	})
}
