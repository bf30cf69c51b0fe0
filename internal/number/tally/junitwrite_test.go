package tally

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWrite(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, WriteJUnit(&out, &JUnitReport{
		Name: "bfcl", Time: time.Date(2025, 7, 1, 2, 3, 4, 0, time.UTC),
		Properties: []JUnitProperty{{"model", "m"}},
		Suites: []JUnitSuite{{Name: "multiple", File: "d/multiple.json", Entries: []JUnitEntry{
			{Name: "multiple_0", Line: 1, Seconds: 0.25, Properties: []JUnitProperty{{"latency", "0.2"}}},
			{Name: "multiple_1", Line: 2, Outcome: Failed, Type: "value_error:string", Message: `unit: got "m"`, Body: "one\n  <two> & \"three\""},
			{Name: "multiple_2", Outcome: Errored, Type: "infrastructure:timeout", Message: "late"},
			{Name: "multiple_3", Outcome: Skipped, Message: "interrupted"},
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
		{Name: "a", Entries: []JUnitEntry{{Name: "a_0", Seconds: 30}, {Name: "a_1", Seconds: 60}}}, {Name: "b", Entries: []JUnitEntry{{Name: "b_0", Seconds: 30}}}, {Name: "TestGate"},
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

func TestHostileTextsStayTexts(t *testing.T) {
	for _, text := range hostile {
		var out bytes.Buffer
		require.NoError(t, WriteJUnit(&out, &JUnitReport{Name: text, Suites: []JUnitSuite{{Name: text, File: text, Entries: []JUnitEntry{
			{Name: "first", Outcome: Failed, Type: text, Message: text, Body: text, Properties: []JUnitProperty{{text, text}}},
			{Name: text},
		}}}}))
		file, err := ReadJUnit(&out)
		require.NoErrorf(t, err, "%q", text)
		require.Lenf(t, file.Cases, 2, "%q", text)
		assert.Equal(t, legalText(text), file.Cases[0].Output)
		assert.Equal(t, legalText(text), file.Cases[1].Name)
	}
}

func legalText(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return '\uFFFD'
		}
		return r
	}, s)
}

func TestFiveThousandCasesStayBelowTenMegabytes(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, WriteJUnit(&out, large(5000, 1500)))
	assert.Less(t, out.Len(), 10<<20)
}

// large is a report whose every other case failed with a body of some bytes.
func large(cases, body int) *JUnitReport {
	s := JUnitSuite{Name: "simple_python", File: "fixtures/starter/BFCL_v4_simple_python.json"}
	for i := range cases {
		e := JUnitEntry{Name: fmt.Sprintf("simple_python_%d", i), Line: i + 1, Properties: []JUnitProperty{{"latency", "0.123"}, {"input_tokens", "512"}, {"output_tokens", "40"}}}
		if i%2 == 0 {
			e.Outcome, e.Type, e.Message = Failed, "value_error:string", "Invalid value for parameter 'unit'"
			e.Body = strings.Repeat("expected [\"x\"]\n", body/15)
		}
		s.Entries = append(s.Entries, e)
	}
	return &JUnitReport{Name: "bfcl", Suites: []JUnitSuite{s}}
}

func FuzzWrite(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var out bytes.Buffer
		require.NoError(t, WriteJUnit(&out, &JUnitReport{Suites: []JUnitSuite{{Name: text, Entries: []JUnitEntry{{Name: text, Outcome: Failed, Message: text, Body: text}}}}}))
		decoder := xml.NewDecoder(&out)
		for {
			_, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				return
			}
			require.NoError(t, err)
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	report := large(5000, 1500)
	b.ReportAllocs()
	for b.Loop() {
		_ = WriteJUnit(io.Discard, report)
	}
}

func BenchmarkRead(b *testing.B) {
	var out bytes.Buffer
	_ = WriteJUnit(&out, large(5000, 1500))
	b.SetBytes(int64(out.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadJUnit(bytes.NewReader(out.Bytes())); err != nil {
			b.Fatal(err)
		}
	}
}
