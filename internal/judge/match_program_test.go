//go:build unix

package judge_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// programOf returns the matcher of a shell script, in a folder of its own.
func programOf(t testing.TB, script string) *match.Program {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "check"), []byte("#!/bin/sh\n"+script+"\n"), 0o700))
	return match.NewProgram("check", dir)
}

// explained is what a matcher says of a value, also if nothing is known.
func explained(m match.Matcher, v pyval.Value) string {
	return (&match.Option{Matcher: m}).Explain(v)
}

// TestMatchProgram: a program gets the value with its call and case, once, and its
// answer decides.
func TestMatchProgram(t *testing.T) {
	p := programOf(t, `cat >>asked
case "$(tail -n 1 asked)" in
*'"value":"yes"'*) echo '{"accept": true}';;
*) echo '{"accept": false, "reason": "not that"}';; esac`)
	t.Setenv(match.ProgramsVariable, p.Dir)
	asked := func() string {
		text, err := os.ReadFile(filepath.Join(p.Dir, "asked"))
		require.NoError(t, err)
		require.NoError(t, os.Remove(filepath.Join(p.Dir, "asked")))
		return string(text)
	}
	either := choice(&match.Literal{Value: pyval.Str("never")}, p)
	w := &match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{matchCall(t, "shed.fill", "s", either)}}
	c, s := shed(t), eval.SettingsFor(eval.FC)
	const started = `{"case":"x","function":"shed.fill","argument":"s","value":`
	for range 2 {
		assert.True(t, w.Judge(c, matchParse(t, `[{"shed.fill": {"s": "yes"}}]`), nil, s).Passed())
	}
	assert.Equal(t, started+`"yes","arguments":{"s":"yes"}}`+"\n", asked())
	v := w.Judge(c, matchParse(t, `[{"shed.fill": {"s": "other"}}]`), nil, s)
	assert.Equal(t, "matcher:program", v.ErrorType)
	assert.Equal(t, "shed.fill.s: 'other' is none of 'never' or program check", pyval.Text(v.Detail.(*pyval.List).Items[0]))
	assert.Equal(t, started+`"other","arguments":{"s":"other"}}`+"\n", asked())
	assert.Same(t, p, either.Options[1].Matcher, "the suite's own matcher does not know the call")

	assert.Equal(t, `5 is refused by program check: "not that"`, p.Refuse(pyval.MakeInt(5)))
	assert.Equal(t, `{"case":"","function":"","argument":"","value":5,"arguments":null}`+"\n", asked())
	for _, v := range []pyval.Value{pyval.Float(pyvalNaN(t)), pyval.Bytes("a")} {
		assert.Equal(t, pyval.Repr(v)+" is not JSON, but program check needs it", p.Refuse(v))
	}
	_, ok := p.Example()
	assert.False(t, ok)
}

// TestMatchProgramFails: a program that crashes, hangs or writes nonsense says
// nothing about the value.
func TestMatchProgramFails(t *testing.T) {
	for script, want := range map[string]string{
		"echo '{\"accept\": true}'": "",
		"printf '{\"accept\": true, \"reason\": \"'; head -c 65505 /dev/zero | tr '\\0' a; echo '\"}'": "", // 65536 bytes
		"printf '{\"accept\": true, \"reason\": \"'; head -c 65506 /dev/zero | tr '\\0' a; echo '\"}'": "more than 64 kB",
		"echo '{\"accept\": true}'; echo lost >&2; exit 3":                                             `exit status 3; standard error: "lost\n"`,
		"echo yes":                          `the answer "yes" is not one line`,
		"echo '{}'":                         "accept is missing",
		"echo '{\"accept\": 1}'":            "is not one line",
		"echo '{\"accept\":'; echo 'true}'": "or there are several lines",
		"yes":                               "more than 64 kB",
		"":                                  `the answer "" is not one line`,
	} {
		p := programOf(t, script)
		t.Setenv(match.ProgramsVariable, p.Dir)
		said := explained(p, pyval.Str("x"))
		if want == "" {
			assert.Empty(t, said, script)
		}
		assert.Contains(t, said, want, script)
	}
	for _, script := range []string{"exec sleep 30", "sleep 30; echo"} {
		p := programOf(t, script)
		p.Limit = 300 * time.Millisecond
		t.Setenv(match.ProgramsVariable, p.Dir)
		start := time.Now()
		assert.Contains(t, explained(p, pyval.Str("x")), "no answer within 300ms")
		assert.Less(t, time.Since(start), 15*time.Second, "nor is its child waited for")
	}
	p := programOf(t, `(sleep 0.3; touch late) >/dev/null 2>&1 & echo '{"accept": true}'`)
	t.Setenv(match.ProgramsVariable, p.Dir)
	assert.Empty(t, p.Refuse(pyval.Str("x")))
	time.Sleep(600 * time.Millisecond)
	assert.NoFileExists(t, filepath.Join(p.Dir, "late"), "what it started is ended")
}

// TestMatchProgramOfStrangers: a program is started only if the environment names
// its folder, or one around it.
func TestMatchProgramOfStrangers(t *testing.T) {
	p := programOf(t, `echo '{"accept": true}'`)
	around, elsewhere := filepath.Dir(p.Dir), t.TempDir()
	link := filepath.Join(elsewhere, "link")
	require.NoError(t, os.Symlink(p.Dir, link))
	t.Chdir(around)
	for listed, want := range map[string]bool{
		p.Dir: true, around: true, link: true, ".": true, "/nowhere" + string(filepath.ListSeparator) + p.Dir: true,
		"": false, "1": false, elsewhere: false, p.Dir + "x": false, filepath.Join(p.Dir, "check"): false, "/nowhere": false,
	} {
		t.Setenv(match.ProgramsVariable, listed)
		own := match.NewProgram(p.File, p.Dir)
		if said := explained(own, pyval.Str("x")); want {
			assert.Empty(t, said, listed)
		} else {
			assert.Contains(t, said, "are started only if BFCL_PROGRAMS names its folder: BFCL_PROGRAMS="+p.Dir, listed)
		}
	}
	t.Setenv(match.ProgramsVariable, around)
	for _, dir := range []string{"", filepath.Join(around, "none")} {
		assert.Contains(t, explained(match.NewProgram("check", dir), pyval.Str("x")), "are started only if", dir)
	}
}
