package classes_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/simtest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/filesystem"
)

const home = `{"root": {"barn": {"type": "directory", "contents": {
	"tools.txt": {"type": "file", "content": "rake\nspade\naxe"},
	"hay": {"type": "directory", "contents": {"bale.txt": {"type": "file", "content": "dry"}}},
	".key": {"type": "file", "content": ""},
	"odd": {"type": "link", "content": "passed over"}}}}}`

func TestFilesystemWalk(t *testing.T) {
	simtest.Script(t, filesystem.Class, home,
		simtest.Step{Call: "pwd()", Want: `{"current_working_directory": "/barn"}`},
		simtest.Step{Call: "ls()", Want: `{"current_directory_content": ["tools.txt", "hay"]}`},
		simtest.Step{Call: "ls(a=True)", Want: `{"current_directory_content": ["tools.txt", "hay", ".key"]}`},
		simtest.Step{Call: "cd('hay/')", Want: `{"current_working_directory": "hay"}`},
		simtest.Step{Call: "cd('../hay')", Want: `{"error": "cd: ../hay: Unsupported path. Only one folder level at a time is supported."}`},
		simtest.Step{Call: "cd('..')", Want: `{}`},
		simtest.Step{Call: "cd('..')", Want: `{"error": "Current directory is already the root. Cannot go back."}`},
		simtest.Step{Call: "cd('/etc')", Want: `{"error": "cd: /etc: Unsupported path. Only one folder level at a time is supported."}`},
		simtest.Step{Call: "find(path='/', name='b')", Want: `{"matches": ["/hay/bale.txt"]}`},
		simtest.Step{Call: "find(path='../..')", Want: `{"error": "find: '../..': No such file or directory"}`},
		simtest.Step{Call: "du(human_readable=True)", Want: `{"disk_usage": "17.00 B"}`},
	)
}

func TestFilesystemEdit(t *testing.T) {
	simtest.Script(t, filesystem.Class, home,
		simtest.Step{Call: "mkdir('new')", Want: "None"},
		simtest.Step{Call: "mkdir('a/b')", Want: `{"error": "mkdir: cannot create directory 'a/b': Invalid character"}`},
		simtest.Step{Call: "touch('new')", Want: `{"error": "touch: cannot touch 'new': File exists"}`},
		simtest.Step{Call: "echo('x', 'none.txt')", Want: `{"error": "echo: cannot write to 'none.txt': No such file"}`},
		simtest.Step{Call: "cp('tools.txt', 'new')", Want: `{"result": "'tools.txt' copied to 'new/tools.txt'"}`},
		simtest.Step{Call: "cp('tools.txt', 'new')", Want: "Error during execution: File 'tools.txt' already exists in directory 'new'."},
		simtest.Step{Call: "mv('tools.txt', 'new')", Want: `{"error": "mv: cannot move 'tools.txt' to 'new/tools.txt': File exists"}`},
		simtest.Step{Call: "mv('tools.txt', 'kit?')", Want: `{"result": "'tools.txt' moved to 'kit?'"}`},
		simtest.Step{Call: "mv('kit?', '../up')", Want: `{"error": "mv: path not allowed in destination. Provide only a file or directory name."}`},
		simtest.Step{Call: "rmdir('new')", Want: `{"error": "rmdir: cannot remove 'new': Directory not empty"}`},
		simtest.Step{Call: "rm('new')", Want: `{"result": "'new' removed"}`},
		simtest.Step{Call: "ls()", Want: `{"current_directory_content": ["hay", "kit?"]}`},
	)
}

// A copied directory shares its files with the original, a moved one leaves
// its children pointing to the old place.
func TestFilesystemSharing(t *testing.T) {
	simtest.Script(t, filesystem.Class, home,
		simtest.Step{Call: "cp('hay', 'straw')", Want: `{"result": "'hay' copied to 'straw'"}`},
		simtest.Step{Call: "cd('straw')", Want: `{"current_working_directory": "straw"}`},
		simtest.Step{Call: "echo('wet', 'bale.txt')", Want: "None"},
		simtest.Step{Call: "mkdir('deep')", Want: "None"},
		simtest.Step{Call: "cd('..')", Want: `{}`},
		simtest.Step{Call: "mv('straw', 'loft')", Want: `{"result": "'straw' moved to 'loft'"}`},
		simtest.Step{Call: "cd('loft')", Want: `{"current_working_directory": "loft"}`},
		simtest.Step{Call: "cd('deep')", Want: `{"current_working_directory": "deep"}`},
		simtest.Step{Call: "pwd()", Want: `{"current_working_directory": "/barn/straw/deep"}`},
		simtest.Step{Call: "cd('/')", Want: `{"current_working_directory": "barn"}`},
		simtest.Step{Call: "cd('hay')", Want: `{"current_working_directory": "hay"}`},
		simtest.Step{Call: "ls()", Want: `{"current_directory_content": ["bale.txt"]}`},
		simtest.Step{Call: "cat('bale.txt')", Want: `{"file_content": "wet"}`},
	)
}

func TestFilesystemRead(t *testing.T) {
	simtest.Script(t, filesystem.Class, home,
		simtest.Step{Call: "wc('tools.txt')", Want: `{"count": 3, "type": "lines"}`},
		simtest.Step{Call: "wc('tools.txt', 'c')", Want: `{"count": 14, "type": "characters"}`},
		simtest.Step{Call: "wc('hay', ['l'])", Want: `{"error": "wc: invalid mode '['l']'"}`},
		simtest.Step{Call: "sort('tools.txt')", Want: `{"sorted_content": "axe\nrake\nspade"}`},
		simtest.Step{Call: "tail('tools.txt', 1)", Want: `{"last_lines": "axe"}`},
		simtest.Step{Call: "tail('tools.txt', -2)", Want: `{"last_lines": "axe"}`},
		simtest.Step{Call: "tail('tools.txt', -9)", Want: `{"last_lines": ""}`},
		simtest.Step{Call: "grep('tools.txt', 'a')", Want: `{"matching_lines": ["rake", "spade", "axe"]}`},
		simtest.Step{Call: "diff('tools.txt', '.key')", Want: `{"diff_lines": ""}`},
		simtest.Step{Call: "cat('hay')", Want: `{"error": "cat: 'hay': Is a directory"}`},
		simtest.Step{Call: "echo(10**5000, '.key')", Want: "None"},
		simtest.Step{Call: "cat('.key')", Want: "Error during execution: Exceeds the limit (4300 digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit"},
	)
}

// TestFilesystemLines: a file's lines are Python's splitlines, which knows more ends of a
// line than "\n".
func TestFilesystemLines(t *testing.T) {
	for text, want := range map[string][]string{
		"":                               nil,
		"\n":                             {""},
		"a\r\nb\rc\n":                    {"a", "b", "c"},
		"a\n\nb":                         {"a", "", "b"},
		"a\x0bb\x0cc\x1dd\u0085e\u2028f": {"a", "b", "c", "d", "e", "f"},
	} {
		content, err := json.Marshal(text)
		require.NoError(t, err)
		env := simtest.Open(t, filesystem.Class, `{"root": {"d": {"contents": {"f": {"type": "file", "content": `+string(content)+`}}}}}`, nil)
		assert.Equal(t, fmt.Sprintf(`{"count": %d, "type": "lines"}`, len(want)), env.Call("wc('f', 'l')").Text, "%q", text)
		last, err := pyval.ParseJSON(env.Call("tail('f', 9)").Text)
		require.NoError(t, err)
		assert.Equal(t, strings.Join(want, "\n"), testkit.Text(last.(*pyval.Dict), "last_lines"), "%q", text)
	}
}

// TestFilesystemCycle: a directory that contains itself ends every walk, and its state
// equals none, so the state check fails where upstream's would not end.
func TestFilesystemCycle(t *testing.T) {
	env := simtest.Open(t, filesystem.Class, home, nil)
	env.Execute([]string{"cp('hay', 'hay')"})
	for _, call := range []string{"find()", "du()"} {
		r := env.Call(call)
		require.NotNil(t, r.Raised, call)
		assert.Equal(t, "RecursionError", r.Raised.Class)
	}
	instance, _ := env.Instance(filesystem.Class.Name)
	assert.False(t, pyval.Equal(instance.State(), instance.State()))
}

// TestFilesystemDoubling: copies of copies double the tree with each call; walks and states
// stop at a limit.
func TestFilesystemDoubling(t *testing.T) {
	env := simtest.Open(t, filesystem.Class, `{}`, nil)
	env.Execute([]string{"mkdir('a')"})
	for range 200 {
		env.Execute([]string{"cp('a', 'b')", "cp('b', 'a')", "mv('b', 'c')", "cp('c', 'a')", "rm('c')"})
	}
	for range 50 {
		env.Execute([]string{"find()", "du()"})
	}
	instance, _ := env.Instance(filesystem.Class.Name)
	assert.NotNil(t, instance.State())
}

func TestFilesystemDeep(t *testing.T) {
	env := simtest.Open(t, filesystem.Class, `{}`, nil)
	name := strings.Repeat("n", 1000)
	for range 3000 {
		env.Execute([]string{"mkdir('" + name + "')", "cd('" + name + "')"})
	}
	assert.Nil(t, env.Call("pwd()").Raised)
	env.Execute([]string{"cd('/')"})
	assert.NotNil(t, env.Call("find()").Raised)
	instance, _ := env.Instance(filesystem.Class.Name)
	assert.False(t, pyval.Equal(instance.State(), instance.State()))
}

func TestFilesystemScenarioRefused(t *testing.T) {
	for _, scenario := range []string{
		`{"root": 1}`, `{"root": {}}`, `{"root": {"a": 1}}`, `{"root": {"a": {"contents": []}}}`,
		`{"root": {"a": {"contents": {"b": 1}}}}`, `{"root": {"a": {"contents": {"b": {"type": "file"}}}}}`,
		`{"root": {"a": ` + strings.Repeat(`{"contents": {"b": {"type": "directory", `, 1) + `"x": 1}}}}}`,
	} {
		_, err := filesystem.Class.New(sim.Table(scenario), sim.NewWorld(nil))
		assert.Error(t, err, scenario)
	}
}

func TestFilesystemHostile(t *testing.T) {
	simtest.Hostile(t, filesystem.Class, `{}`, home, `{"root": {"": {"contents": {"a": {"type": "directory", "contents": {}}, ".": {"type": "file", "content": [1]}}}}}`)
}

func FuzzFilesystemCalls(f *testing.F) {
	simtest.Fuzz(f, filesystem.Class,
		[2]string{home, "mv('hay', 'hay')\nfind()\ndu()\nls()"},
		[2]string{home, "cp('hay', '.')\ncd('.')\ncd('..')\npwd()\necho(ls(), 'tools.txt')\nwc('tools.txt')"},
		[2]string{`{}`, "mkdir('.')\ncp('.', '.')\nmv('.', 'a')\nrmdir('.')\nfind('/./.', '')"},
	)
}

func BenchmarkFilesystemCalls(b *testing.B) {
	calls := []string{"cd(folder='hay')", "cat(file_name='bale.txt')", "echo(content='new', file_name='bale.txt')", "ls(a=True)", "cd(folder='..')", "grep(file_name='tools.txt', pattern='a')"}
	b.ReportAllocs()
	for b.Loop() {
		env := simtest.Open(b, filesystem.Class, home, nil)
		env.Execute(calls)
	}
}
