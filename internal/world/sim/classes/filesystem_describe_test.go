package classes_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/filesystem"
)

func described(t *testing.T, calls ...string) string {
	t.Helper()
	v, err := pyval.ParseJSON(`{"GorillaFileSystem": {"root": {"attic": {"type": "directory", "contents":
		{"it's": {"type": "file", "content": "a 'b'\n"}, "box": {"type": "directory", "contents": {}}}}}}}`)
	require.NoError(t, err)
	env, err := sim.NewLibrary(filesystem.Class).Open(sim.Setup{Entry: "x_1", Involved: []string{filesystem.Class.Name}, Config: v.(*pyval.Dict)})
	require.NoError(t, err)
	for _, text := range env.Execute(calls) {
		require.NotContains(t, text, "rror", "%v", calls)
	}
	instance, _ := env.Instance(filesystem.Class.Name)
	root, _ := sim.Describe(instance).GetStr("root")
	return pyval.Text(root)
}

func TestFilesystemDescribe(t *testing.T) {
	const file = `"it's": <<File: it's, Content: a 'b'` + "\n>>, "
	for _, c := range []struct {
		calls []string
		want  string
	}{
		{nil, file + "'box': <Directory: box, Parent: attic, Contents: {}>"},
		{[]string{"cd('box')", "mkdir('in')", "cd('..')", "mv('box', 'crate')"},
			file + "'crate': <Directory: crate, Parent: attic, Contents: {'in': <Directory: in, Parent: box, Contents: {}>}>"},
		{[]string{"cp('box', 'box')"},
			file + "'box': <Directory: box, Parent: attic, Contents: {'box': <Directory: box, Parent: box, Contents: {'box': <Directory: box, Parent: box, Contents: {...}>}>}>"},
		{[]string{"cd('box')", "mkdir('in')", "cd('in')", "touch('x')", "echo([1, 2.0], 'x')"},
			file + "'box': <Directory: box, Parent: attic, Contents: {'in': <Directory: in, Parent: box, Contents: {'x': <<File: x, Content: [1, 2.0]>>}>}>"},
	} {
		assert.Equal(t, "<Directory: attic, Parent: None, Contents: {"+c.want+"}>", described(t, c.calls...), "%v", c.calls)
	}
}

// TestFilesystemDescribeShared: copies share what is in them, so that a short sequence
// of calls makes a tree whose text would never end.
func TestFilesystemDescribeShared(t *testing.T) {
	var calls []string
	for range 40 {
		calls = append(calls, "cp('box', 'twin')", "mkdir('next')", "mv('box', 'next')", "mv('twin', 'next')", "mv('next', 'box')")
	}
	assert.Less(t, len(described(t, calls...)), 1<<25)
	assert.True(t, strings.HasPrefix(described(t, "mv('box', 'box')"), "<Directory: attic"))
}
