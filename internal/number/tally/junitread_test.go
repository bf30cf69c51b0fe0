package tally

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

const passed = `<testcase classname="p" name="TestBFCL/a/a_0" time="1.500000">
 <properties><property name="latency" value="0.1"></property><property name="error_type" value=""></property></properties></testcase>`

func TestRead(t *testing.T) {
	file, err := ReadJUnit(strings.NewReader(`<?xml version="1.0"?><testsuites tests="3"><testsuite name="p" tests="3">
 <properties><property name="go.version" value="go1.26"/></properties>
 ` + passed + `
 <testcase classname="p" name="TestBFCL/a/a_1" time="NaN"><failure message="Failed" type="">line&#xA;two</failure></testcase>
 <testcase classname="p" name="TestBFCL/a/a_2" time="0"><skipped message="why"></skipped></testcase>
 <testcase classname="p" name="x"><error message="broken"/></testcase>
</testsuite></testsuites>`))
	require.NoError(t, err)
	assert.Equal(t, []string{"p"}, file.Suites)
	assert.Equal(t, []JUnitCase{
		{Class: "p", Name: "TestBFCL/a/a_0", Seconds: 1.5, Properties: map[string]string{"latency": "0.1", "error_type": ""}},
		{Class: "p", Name: "TestBFCL/a/a_1", Outcome: Failed, Output: "line\ntwo"},
		{Class: "p", Name: "TestBFCL/a/a_2", Outcome: Skipped, Output: "why"},
		{Class: "p", Name: "x", Outcome: Errored, Output: "broken"},
	}, file.Cases)
}

func TestReadTrouble(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"empty", "", "incomplete JUnit file: it ends at line 1"},
		{"other XML", "<html></html>", "not a JUnit file: its root element is <html>"},
		{"no XML", "PASS\nok", "incomplete JUnit file"},
		{"cut off", "<testsuites>\n<testsuite>\n<testcase name='x'>", "incomplete JUnit file: it ends at line 3"},
		{"mixed up", "<testsuites>\n</testsuite>", "not a JUnit file: line 2"},
		{"two roots", "<html/><testsuites></testsuites>", "its root element is <html>"},
		{"control bytes", "<testsuites>\x01</testsuites>", "not a JUnit file: line 1"},
		{"an entity of its own", `<!DOCTYPE t [<!ENTITY a "b">]><testsuites><testsuite name="&a;"/></testsuites>`, "not a JUnit file"},
		{"a file as an entity", `<!DOCTYPE t [<!ENTITY a SYSTEM "file:///etc/passwd">]><testsuites>&a;</testsuites>`, "not a JUnit file"},
		{"another encoding", `<?xml version="1.0" encoding="utf-7"?><testsuites/>`, "not a JUnit file"},
		{"UTF-16", "\xff\xfe<\x00t\x00", "the file is in UTF-16"},
		{"UTF-16 without a mark", "<\x00t\x00e\x00", "the file is in UTF-16"},
		{"UTF-16, the high byte first", "\x00<\x00t", "the file is in UTF-16"},
		{"deep", "<testsuites>" + strings.Repeat("<a>", 100_000), "incomplete JUnit file"},
		{"deep in a case", "<testsuites><testcase>" + strings.Repeat("<failure>", 100_000), "JUnit file"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := ReadJUnit(strings.NewReader(test.src))
			assert.ErrorContains(t, err, test.want)
		})
	}
}

func TestReadFile(t *testing.T) {
	_, err := ReadJUnitFile(filepath.Join(t.TempDir(), "none.xml"))
	require.ErrorIs(t, err, os.ErrNotExist)
	path := filepath.Join(t.TempDir(), "a.xml")
	require.NoError(t, os.WriteFile(path, []byte("{}"), 0o644))
	_, err = ReadJUnitFile(path)
	assert.ErrorContains(t, err, path+": incomplete JUnit file")
}

func TestLog(t *testing.T) {
	for _, test := range []struct{ name, output, want string }{
		{"a failure", "=== RUN   T/a\n=== PAUSE T/a\n=== CONT  T/a\n=== ATTR  T/a k v\n    a_test.go:6: value_error: bad\n          question  \"x\"\n            - deep\n=== ATTR  T/a l 1\n--- FAIL: T/a (0.00s)\n", "value_error: bad\n  question  \"x\"\n    - deep"},
		{"a text of the suite's own", "=== RUN   T/a\n    d/a.json:6: value_error: bad\n      question  \"x\"\n      differs at\n        b.c: got 1\n          deep\n--- FAIL: T/a (0.00s)\n", "value_error: bad\n  question  \"x\"\n  differs at\n    b.c: got 1\n      deep"},
		{"two messages", "    a_test.go:6: one\n        more\n    b_test.go:7: two\n", "one\nmore\ntwo"},
		{"a skip", "=== RUN   T\n    a_test.go:6: why: not\n--- SKIP: T (0.00s)\n", "why: not"},
		{"a panic", "panic: boom\n\ngoroutine 1 [running]:\n", "panic: boom\n\ngoroutine 1 [running]:"},
		{"no place", "    a.go:x: text\n    some a.go:1: text\n    a.go:1 text\n", "a.go:x: text\nsome a.go:1: text\na.go:1 text"},
		{"framework words in a message", "    a.go:1: x\n        --- PASS: T\n", "x\n--- PASS: T"},
		{"nothing", "=== RUN   T\n--- FAIL: T (0.00s)\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) { assert.Equal(t, test.want, JUnitLog(test.output)) })
	}
}

func FuzzRead(f *testing.F) {
	f.Add("<testsuites><testsuite>" + passed + "</testsuite></testsuites>")
	f.Add("<testsuite><testcase><failure/></testcase></testsuite>")
	f.Add("<testsuites><![CDATA[x]]></testsuites>")
	f.Fuzz(func(t *testing.T, src string) {
		file, err := ReadJUnit(strings.NewReader(src))
		if err != nil {
			return
		}
		for _, c := range file.Cases {
			JUnitLog(c.Output)
		}
	})
}
