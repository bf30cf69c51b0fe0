package classes_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
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
	script(t, filesystem.Class, home,
		step{"pwd()", `{"current_working_directory": "/barn"}`},
		step{"ls()", `{"current_directory_content": ["tools.txt", "hay"]}`},
		step{"ls(a=True)", `{"current_directory_content": ["tools.txt", "hay", ".key"]}`},
		step{"cd('hay/')", `{"current_working_directory": "hay"}`},
		step{"cd('../hay')", `{"error": "cd: ../hay: Unsupported path. Only one folder level at a time is supported."}`},
		step{"cd('..')", `{}`},
		step{"cd('..')", `{"error": "Current directory is already the root. Cannot go back."}`},
		step{"cd('/etc')", `{"error": "cd: /etc: Unsupported path. Only one folder level at a time is supported."}`},
		step{"find(path='/', name='b')", `{"matches": ["/hay/bale.txt"]}`},
		step{"find(path='../..')", `{"error": "find: '../..': No such file or directory"}`},
		step{"du(human_readable=True)", `{"disk_usage": "17.00 B"}`},
	)
}

func TestFilesystemEdit(t *testing.T) {
	script(t, filesystem.Class, home,
		step{"mkdir('new')", "None"},
		step{"mkdir('a/b')", `{"error": "mkdir: cannot create directory 'a/b': Invalid character"}`},
		step{"touch('new')", `{"error": "touch: cannot touch 'new': File exists"}`},
		step{"echo('x', 'none.txt')", `{"error": "echo: cannot write to 'none.txt': No such file"}`},
		step{"cp('tools.txt', 'new')", `{"result": "'tools.txt' copied to 'new/tools.txt'"}`},
		step{"cp('tools.txt', 'new')", "Error during execution: File 'tools.txt' already exists in directory 'new'."},
		step{"mv('tools.txt', 'new')", `{"error": "mv: cannot move 'tools.txt' to 'new/tools.txt': File exists"}`},
		step{"mv('tools.txt', 'kit?')", `{"result": "'tools.txt' moved to 'kit?'"}`},
		step{"mv('kit?', '../up')", `{"error": "mv: path not allowed in destination. Provide only a file or directory name."}`},
		step{"rmdir('new')", `{"error": "rmdir: cannot remove 'new': Directory not empty"}`},
		step{"rm('new')", `{"result": "'new' removed"}`},
		step{"ls()", `{"current_directory_content": ["hay", "kit?"]}`},
	)
}

// A copied directory shares its files with the original, a moved one leaves
// its children pointing to the old place.
func TestFilesystemSharing(t *testing.T) {
	script(t, filesystem.Class, home,
		step{"cp('hay', 'straw')", `{"result": "'hay' copied to 'straw'"}`},
		step{"cd('straw')", `{"current_working_directory": "straw"}`},
		step{"echo('wet', 'bale.txt')", "None"},
		step{"mkdir('deep')", "None"},
		step{"cd('..')", `{}`},
		step{"mv('straw', 'loft')", `{"result": "'straw' moved to 'loft'"}`},
		step{"cd('loft')", `{"current_working_directory": "loft"}`},
		step{"cd('deep')", `{"current_working_directory": "deep"}`},
		step{"pwd()", `{"current_working_directory": "/barn/straw/deep"}`},
		step{"cd('/')", `{"current_working_directory": "barn"}`},
		step{"cd('hay')", `{"current_working_directory": "hay"}`},
		step{"ls()", `{"current_directory_content": ["bale.txt"]}`},
		step{"cat('bale.txt')", `{"file_content": "wet"}`},
	)
}

func TestFilesystemRead(t *testing.T) {
	script(t, filesystem.Class, home,
		step{"wc('tools.txt')", `{"count": 3, "type": "lines"}`},
		step{"wc('tools.txt', 'c')", `{"count": 14, "type": "characters"}`},
		step{"wc('hay', ['l'])", `{"error": "wc: invalid mode '['l']'"}`},
		step{"sort('tools.txt')", `{"sorted_content": "axe\nrake\nspade"}`},
		step{"tail('tools.txt', 1)", `{"last_lines": "axe"}`},
		step{"tail('tools.txt', -2)", `{"last_lines": "axe"}`},
		step{"tail('tools.txt', -9)", `{"last_lines": ""}`},
		step{"grep('tools.txt', 'a')", `{"matching_lines": ["rake", "spade", "axe"]}`},
		step{"diff('tools.txt', '.key')", `{"diff_lines": ""}`},
		step{"cat('hay')", `{"error": "cat: 'hay': Is a directory"}`},
		step{"echo(10**5000, '.key')", "None"},
		step{"cat('.key')", "Error during execution: Exceeds the limit (4300 digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit"},
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
		env := open(t, filesystem.Class, `{"root": {"d": {"contents": {"f": {"type": "file", "content": `+string(content)+`}}}}}`, nil)
		assert.Equal(t, fmt.Sprintf(`{"count": %d, "type": "lines"}`, len(want)), env.Call("wc('f', 'l')").Text, "%q", text)
		last, err := pyval.ParseJSON(env.Call("tail('f', 9)").Text)
		require.NoError(t, err)
		assert.Equal(t, strings.Join(want, "\n"), testkit.Text(last.(*pyval.Dict), "last_lines"), "%q", text)
	}
}

// TestFilesystemCycle: a directory that contains itself ends every walk, and its state
// equals none, so the state check fails where upstream's would not end.
func TestFilesystemCycle(t *testing.T) {
	env := open(t, filesystem.Class, home, nil)
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
	env := open(t, filesystem.Class, `{}`, nil)
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
	env := open(t, filesystem.Class, `{}`, nil)
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
	hostile(t, filesystem.Class, `{}`, home, `{"root": {"": {"contents": {"a": {"type": "directory", "contents": {}}, ".": {"type": "file", "content": [1]}}}}}`)
}

func FuzzFilesystemCalls(f *testing.F) {
	fuzz(f, filesystem.Class,
		[2]string{home, "mv('hay', 'hay')\nfind()\ndu()\nls()"},
		[2]string{home, "cp('hay', '.')\ncd('.')\ncd('..')\npwd()\necho(ls(), 'tools.txt')\nwc('tools.txt')"},
		[2]string{`{}`, "mkdir('.')\ncp('.', '.')\nmv('.', 'a')\nrmdir('.')\nfind('/./.', '')"},
	)
}

func BenchmarkFilesystemCalls(b *testing.B) {
	calls := []string{"cd(folder='hay')", "cat(file_name='bale.txt')", "echo(content='new', file_name='bale.txt')", "ls(a=True)", "cd(folder='..')", "grep(file_name='tools.txt', pattern='a')"}
	b.ReportAllocs()
	for b.Loop() {
		env := open(b, filesystem.Class, home, nil)
		env.Execute(calls)
	}
}
