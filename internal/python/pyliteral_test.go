package python_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyliteral"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestLiteralConstant: src is a module, want Python's repr of its X.
func TestLiteralConstant(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"X = 20", "20"},
		{"X=-1.50", "-1.5"},
		{"X = +7", "7"},
		{"X: int = 5 # five", "5"},
		{"X = 'a' \"b\" '''c'''", "'abc'"},
		{"X = (\n  'a'  # one\n\n  'b' 'c'\n)", "'abc'"},
		{"X = \"\"\"a\nX = 5\n\\n\"b\" \\\nc\"\"\"\n", `'a\nX = 5\n\n"b" c'`},
		{`X = r'\n\'' '\x41\u00e9\N{BULLET}\101'`, `"\\n\\'Aé•A"`},
		{"X = 'it\\'s # no remark'", `"it's # no remark"`},
		{"X = \\\n  [1,\n  2.0, # two\n  None, True, ...,]", "[1, 2.0, None, True, Ellipsis]"},
		{"X = {'a': (1,), 2: {}}", "{'a': (1,), 2: {}}"},
		{"X = {'a': int, 'b': list}", "{'a': 'int', 'b': 'list'}"},
		{"A = 'x'\nX = {'k': A, A: 1}", "{'k': 'x', 'x': 1}"},
		{"X = A + ['c']\nA = ['a']", "['a', 'c']"},
		{"A = 'x'\nX = '{y}' + A + (\n'z')", "'{y}xz'"},
		{"A = [1, 2]\nX = [0, *A, 3]", "[0, 1, 2, 3]"},
		{"A = ['a', 'b']\nX = [f'm_{k}' for k in A]", "['m_a', 'm_b']"},
		{"P = 'v'\nX = f'{P}_{P}{{}}'", "'v_v{}'"},
		{"A = [[1], [2]]\nX = [[a, a] for a in A]", "[[[1], [1]], [[2], [2]]]"},
		{"X = 1\nif True:\n    X = 2\ndef f():\n    X = 3\n", "1"},
		{"X = 1\nX = 2", "2"},
		{"\ufeff'''doc'''\r\nX = [\r\n1]\r\n", "[1]"},
		{"import os\nX = 1\nY = os.getenv('Z')\nassert X == 1", "1"},
	} {
		m, err := pyliteral.Parse(test.src)
		require.NoError(t, err, test.src)
		v, err := m.Constant("X")
		require.NoError(t, err, test.src)
		assert.Equal(t, test.want, pyval.Repr(v), test.src)
	}
}

// TestLiteralRefused: what is no constant is refused with its line, and nothing of it
// is run.
func TestLiteralRefused(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"Y = 1", "X is not a constant of the module"},
		{"\nX = f()", "line 2: X: a Call: only literals and other constants are read"},
		{"X = 'a'.strip()", "line 1: X: a Call"},
		{"import os\nX = os.path", "line 2: X: a Attribute"},
		{"X = Y", `line 1: X: the name "Y", which the module does not assign`},
		{"X = f'{len(A)}'\nA = 'a'", "line 1: X: an f-string with more than names in it"},
		{"X = f'{A!r}'\nA = 'a'", "an f-string with more than names in it"},
		{"X = f'{A:>4}'\nA = 'a'", "an f-string with more than names in it"},
		{"A = 1\nX = f'{A}'", "an f-string with an int in it"},
		{"X = [a for a in [1] if a]", "a list with conditions or several loops"},
		{"X = [a for a in 'ab']", "a loop over a str"},
		{"X = {**A}\nA = {}", "an unpacked mapping"},
		{"X = {[]: 1}", "a dict with such a key (TypeError: unhashable type: 'list')"},
		{"X = 2 * 3", "the operator *"},
		{"X = -'a'", "the operator - before a str"},
		{"X = 'a' + ['b']", "str + list"},
		{"X = 1 if True else 2", "a IfExp"},
		{"X = X", "line 1: X depends on itself"},
		{"X = [Y]\nY = [X]", "X depends on itself"},
		{"X = [1]\nX += [2]", "line 1: X is changed after it was assigned"},
		{"X = (\n1\n2)", "line "},
		{"X = 1; Y = 2", "invalid syntax"},
	} {
		m, err := pyliteral.Parse(test.src)
		require.NoError(t, err, test.src)
		_, err = m.Constant("X")
		assert.ErrorContains(t, err, test.want, test.src)
	}
}

func TestLiteralBrokenModules(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{"X = [1,\n", `line 2: the file ends inside '['`},
		{"X = (1]", `line 1: ']' closes no bracket`},
		{"\nX = 'abc\n'", "line 2: a string literal is not closed"},
		{"X = '''abc\n", "line 1: a string literal is not closed"},
		{"X = 1 \\ 2", "line 1: a backslash in the middle of a line"},
		{strings.Repeat("[", 2000), "line 1: nested too deeply"},
	} {
		_, err := pyliteral.Parse(test.src)
		assert.EqualError(t, err, test.want, test.src)
	}
}

// TestLiteralBombs: constants that double each other end in an error, not in memory.
func TestLiteralBombs(t *testing.T) {
	doubled := "A0 = ['" + strings.Repeat("x", 1000) + "']\n"
	for n := range 90 {
		a, b := string(rune('A'+n/26))+string(rune('a'+n%26)), string(rune('A'+(n-1)/26))+string(rune('a'+(n-1)%26))
		if n == 0 {
			b = "A0"
		}
		doubled += a + " = [" + b + ", " + b + "]\n"
	}
	m, err := pyliteral.Parse(doubled + "X = Dl")
	require.NoError(t, err)
	_, err = m.Constant("X")
	assert.ErrorContains(t, err, "the constants are too large")
	m, err = pyliteral.Parse("X = [[[[[[[a for a in L] for a in L] for a in L] for a in L] for a in L] for a in L] for a in L]\nL = [" + strings.Repeat("1,", 100) + "]")
	require.NoError(t, err)
	_, err = m.Constant("X")
	assert.ErrorContains(t, err, "the constants are too large")
}

func TestLiteralText(t *testing.T) {
	m, err := pyliteral.Parse(`"""module's words"""
def f(value):
    """f's words"""
    if value["any"]:
        value["d"] += (
            f" of type {value['type']}; "  # one
            f"in {x!r:>{w}} all."
        )
    return " plain" ' and simple'
X = ["one", "two"]
`)
	require.NoError(t, err)
	for _, shape := range []string{"module's words", "f's words", " of type {}; in {} all.", " plain and simple", "one", "two", "any"} {
		got, ok := m.Text(pyliteral.Fingerprint(shape))
		assert.True(t, ok, shape)
		assert.Equal(t, shape, got)
	}
	for _, shape := range []string{"onetwo", "f", " plain", "type"} {
		_, ok := m.Text(pyliteral.Fingerprint(shape))
		assert.False(t, ok, shape)
	}
	filled, err := pyliteral.Fill(" of type {}; in {} all.", "type", "x")
	require.NoError(t, err)
	assert.Equal(t, " of type {type}; in {x} all.", filled)
	_, err = pyliteral.Fill("{}")
	assert.EqualError(t, err, "want 0 values in the text, got 1")
}

// FuzzLiteralModule: no source makes the reader panic or go on without end, and what
// is written as Python's repr is read again as what it was.
func FuzzLiteralModule(f *testing.F) {
	for _, seed := range []string{
		"X = 1", "X = ('a' 'b')", "X = f'{X}'", "A=[1]\nX = [a for a in A]", "X = '''", "X: int = -0.0", "X = {1: [2, ...]}", "X = \\\n'\\N{BULLET}'", "rb'' f'{'",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		m, err := pyliteral.Parse(src)
		if err != nil {
			return
		}
		m.Text("")
		v, err := m.Constant("X")
		if err != nil {
			return
		}
		text := pyval.Repr(v)
		if len(text) > 1<<16 || strings.Contains(text, "inf") || strings.Contains(text, "nan") {
			return
		}
		again, err := pyliteral.Parse("X = " + text + "\n")
		require.NoError(t, err, text)
		same, err := again.Constant("X")
		if err != nil { // such as complex numbers and sets, whose repr is a sum or a call
			return
		}
		assert.Equal(t, text, pyval.Repr(same))
	})
}
