package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
)

// FuzzPlay types anything into `bfcl play`: it ends, and prints nothing that a
// terminal obeys.
func FuzzPlay(f *testing.F) {
	f.Add("mkdir(dir_name='x')\n:state\n[cd(folder='x'), pwd()]")
	f.Add("# a remark\n:methods\n:nonsense")
	f.Add("echo(content='\x1b[31m\\x1b[0m', file_name='f')\ncat('f')\n:quit")
	f.Fuzz(func(t *testing.T, typed string) {
		var out, errs bytes.Buffer
		code := Main([]string{"play", "GorillaFileSystem"}, strings.NewReader(typed), &out, &errs)
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

// FuzzAttach shows whatever is at the address that `bfcl play --attach` is given:
// it ends, and prints nothing that a terminal obeys.
func FuzzAttach(f *testing.F) {
	f.Add(`{"case":"a","turns":["b"],"state":{"TicketAPI":{"n":1}}}`+"\n"+`{"call":"f()","result":"x","error":true,"changes":[{"class":"A","path":"b","after":"c"}]}`, false)
	f.Add("{\"case\":\"\x1b[31m\",\"turns\":null,\"state\":{\"\u001b\":\"\u001b[2J\"}}\n[]", true)
	f.Add("<html>", false)
	f.Fuzz(func(t *testing.T, body string, asJSON bool) {
		var out, errs bytes.Buffer
		shown := &following{playing: &playing{app: &app{out: &out, err: &errs}, asJSON: asJSON}}
		if err := shown.show(strings.NewReader(body)); err != nil {
			shown.complain(err)
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
		_ = Main([]string{"decode", "--format=" + format, "-"}, strings.NewReader(answer), &out, &errs)
		for _, r := range errs.String() {
			if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
				t.Fatalf("%q is printed: %q", r, errs.String())
			}
		}
	})
}
