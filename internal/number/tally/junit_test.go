package tally

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

const passed = `<testcase classname="p" name="TestBFCL/a/a_0" time="1.500000">
 <properties><property name="latency" value="0.1"></property><property name="error_type" value=""></property></properties></testcase>`

func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.xml")
	require.NoError(t, os.WriteFile(path, []byte(`<?xml version="1.0"?><testsuites tests="3"><testsuite name="p" tests="3">
 <properties><property name="go.version" value="go1.26"/></properties>
 `+passed+`
 <testcase classname="p" name="TestBFCL/a/a_1" time="NaN"><failure message="Failed" type="">line&#xA;two</failure></testcase>
 <testcase classname="p" name="TestBFCL/a/a_2" time="0"><skipped message="why"></skipped></testcase>
 <testcase classname="p" name="x"><error message="broken"/></testcase>
</testsuite></testsuites>`), 0o644))
	file := testkit.Must(ReadJUnitFile(path))(t)
	assert.Equal(t, &JUnitDocument{path, []string{"p"}, []JUnitCase{
		{Class: "p", Name: "TestBFCL/a/a_0", Seconds: 1.5, Properties: JUnitProperties{{"latency", "0.1"}, {"error_type", ""}}},
		{Class: "p", Name: "TestBFCL/a/a_1", Failure: &JUnitReason{"", "Failed", "line\ntwo"}},
		{Class: "p", Name: "TestBFCL/a/a_2", Skipped: &JUnitReason{Message: "why"}},
		{Class: "p", Name: "x", Error: &JUnitReason{Message: "broken"}},
	}}, file)
	var outputs []string
	for _, c := range file.Cases {
		outputs = append(outputs, c.Output())
	}
	assert.Equal(t, []string{"", "line\ntwo", "why", "broken"}, outputs)

	require.ErrorIs(t, testkit.Err(ReadJUnitFile(path+"x")), os.ErrNotExist)
	require.NoError(t, os.WriteFile(path, []byte("{}"), 0o644))
	testkit.Fails(ReadJUnitFile(path))(t, path+": incomplete JUnit file")
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
			testkit.Fails(ReadJUnit(strings.NewReader(test.src)))(t, test.want)
		})
	}
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
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, (&JUnitCase{Failure: &JUnitReason{Text: test.output}}).logged())
		})
	}
}

func TestWrite(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, WriteJUnit(&out, &JUnitReport{
		Name: "bfcl", Time: time.Date(2025, 7, 1, 2, 3, 4, 0, time.UTC),
		Properties: JUnitProperties{{"model", "m"}},
		Suites: []JUnitSuite{{Name: "multiple", File: "d/multiple.json", Cases: []JUnitCase{
			{Name: "multiple_0", Line: 1, Seconds: 0.25, Properties: JUnitProperties{{"latency", "0.2"}}},
			{Name: "multiple_1", Line: 2, Failure: &JUnitReason{"value_error:string", `unit: got "m"`, "one\n  <two> & \"three\""}},
			{Name: "multiple_2", Error: &JUnitReason{"infrastructure:timeout", "late", ""}},
			{Name: "multiple_3", Skipped: &JUnitReason{Message: "interrupted"}},
			{Name: "multiple_4"},
		}}},
	}))
	assert.Equal(t, `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="bfcl" tests="5" failures="1" errors="1" skipped="1" time="0.250">
  <testsuite name="multiple" tests="5" failures="1" errors="1" skipped="1" time="0.250" timestamp="2025-07-01T02:03:04Z" file="d/multiple.json">
    <properties>
      <property name="model" value="m"></property>
    </properties>
    <testcase classname="multiple" name="multiple_0" time="0.250" file="d/multiple.json" line="1">
      <properties>
        <property name="latency" value="0.2"></property>
      </properties>
    </testcase>
    <testcase classname="multiple" name="multiple_1" time="0.000" file="d/multiple.json" line="2">
      <failure type="value_error:string" message="unit: got &#34;m&#34;">one&#xA;  &lt;two&gt; &amp; &#34;three&#34;</failure>
    </testcase>
    <testcase classname="multiple" name="multiple_2" time="0.000" file="d/multiple.json">
      <error type="infrastructure:timeout" message="late"></error>
    </testcase>
    <testcase classname="multiple" name="multiple_3" time="0.000" file="d/multiple.json">
      <skipped message="interrupted"></skipped>
    </testcase>
    <testcase classname="multiple" name="multiple_4" time="0.000" file="d/multiple.json"></testcase>
  </testsuite>
</testsuites>
`, out.String())
}

// TestWall: cases run side by side, so the sum of their times is not the time that
// passed. Each suite has its share of it.
func TestWall(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, WriteJUnit(&out, &JUnitReport{Wall: 4 * time.Second, Suites: []JUnitSuite{
		{Name: "a", Cases: []JUnitCase{{Name: "a_0", Seconds: 30}, {Name: "a_1", Seconds: 60}}}, {Name: "b", Cases: []JUnitCase{{Name: "b_0", Seconds: 30}}}, {Name: "TestGate"},
	}}))
	var got []string
	for _, m := range regexp.MustCompile(`<test(?:suite|suites|case) (?:classname="[^"]*" )?name="([^"]*)".* time="([^"]*)"`).FindAllStringSubmatch(out.String(), -1) {
		got = append(got, m[1]+" "+m[2])
	}
	assert.Equal(t, []string{" 4.000", "a 3.000", "a_0 30.000", "a_1 60.000", "b 1.000", "b_0 30.000", "TestGate 0.000"}, got)
}

// hostile are texts that would end an element, forge one or hide a case.
var hostile = []string{
	"]]></failure><testcase name=\"forged\"/>", "<!-- ", "&amp;&#0;", "\x00\x01\x16--- PASS: T (0.00s)\n", "\x1b[31mred",
	"\ufffe\uffff", "\xff\xfe", "a\r\nb\rc", "\u202egnp", strings.Repeat("<", 10_000), "\t\"'\n",
}

func FuzzHostile(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var out bytes.Buffer
		require.NoError(t, WriteJUnit(&out, &JUnitReport{Name: text, Suites: []JUnitSuite{{Name: text, File: text, Cases: []JUnitCase{
			{Name: "first", Failure: &JUnitReason{text, text, text}, Properties: JUnitProperties{{text, text}}}, {Name: text},
		}}}}))
		file, err := ReadJUnit(&out)
		require.NoErrorf(t, err, "%q", text)
		require.Lenf(t, file.Cases, 2, "%q", text)
		assert.Equal(t, legalText(text), file.Cases[0].Output())
		assert.Equal(t, legalText(text), file.Cases[1].Name)
	})
}

func legalText(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return '\uFFFD'
		}
		return r
	}, s)
}

func FuzzRead(f *testing.F) {
	f.Add("<testsuites><testsuite>" + passed + "</testsuite></testsuites>")
	f.Add("<testsuite><testcase><failure/></testcase></testsuite>")
	f.Add("<testsuites><![CDATA[x]]></testsuites>")
	f.Fuzz(func(_ *testing.T, src string) {
		if file, err := ReadJUnit(strings.NewReader(src)); err == nil {
			for i := range file.Cases {
				_ = file.Cases[i].logged()
			}
		}
	})
}
