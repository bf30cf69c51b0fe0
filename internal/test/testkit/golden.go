package testkit

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/stretchr/testify/require"
)

// ModuleRoot returns the directory of the module's go.mod.
func ModuleRoot(t testing.TB) string {
	t.Helper()
	return moduleRoot
}

// moduleRoot is found from the folder in which go test starts a test, before any
// test leaves it: source paths are not whole if tests are built with -trimpath.
// It is "" outside the checkout.
var moduleRoot = findRoot()

func findRoot() string {
	at, err := os.Getwd()
	for err == nil && at != filepath.Dir(at) {
		if mod, err := os.ReadFile(filepath.Join(at, "go.mod")); err == nil && bytes.HasPrefix(mod, []byte("module github.com/gobfcl/bfcl\n")) {
			return at
		}
		at = filepath.Dir(at)
	}
	return ""
}

// Shared returns a file or folder below $BFCL_SHARED, by default ../shared
// beside the module. If it is missing the test is skipped with the reason, or
// fails if CI=true.
func Shared(t testing.TB, path ...string) string {
	t.Helper()
	root := os.Getenv("BFCL_SHARED")
	if root == "" {
		root = filepath.Join(ModuleRoot(t), "..", "shared")
	}
	return need(t, filepath.Join(append([]string{root}, path...)...), "BFCL_SHARED", os.Getenv("CI") == "true")
}

// GoldenFile returns a file or folder of upstream's recorded behaviour, below
// $BFCL_GOLDEN or else $BFCL_SHARED/golden. If BFCL_GOLDEN is set and a part is
// missing there, the test is skipped and names it.
func GoldenFile(t testing.TB, path ...string) string {
	t.Helper()
	if root := os.Getenv("BFCL_GOLDEN"); root != "" {
		return need(t, filepath.Join(append([]string{root}, path...)...), "BFCL_GOLDEN", false)
	}
	return Shared(t, append([]string{"golden"}, path...)...)
}

func need(t testing.TB, path, variable string, must bool) string {
	t.Helper()
	_, err := os.Stat(path)
	switch {
	case err == nil:
		return path
	case must:
		t.Fatalf("conformance data missing: %v (set %s)", err, variable)
	default:
		t.Skipf("conformance data missing: %v (set %s)", err, variable)
	}
	return ""
}

// Rows calls f for each line of a JSON-lines file, with its number, counted
// from 1.
func Rows(t testing.TB, path string, f func(line int, row *pyval.Dict)) {
	t.Helper()
	file := Must(os.Open(path))(t)
	defer func() { _ = file.Close() }()
	in := bufio.NewScanner(file)
	in.Buffer(nil, 64<<20)
	for n := 1; in.Scan(); n++ {
		v, err := pyval.ParseJSON(in.Text())
		row, ok := v.(*pyval.Dict)
		if err != nil || !ok {
			t.Fatalf("%s:%d: not a JSON object: %v", path, n, err)
		}
		f(n, row)
	}
	require.NoError(t, in.Err())
}

// Field returns a plain field of a golden row; nil if it is missing.
func Field(row *pyval.Dict, name string) pyval.Value {
	v, _ := row.GetStr(name)
	return v
}

// Text returns a str field of a golden row; "" if it is missing or not a
// str.
func Text(row *pyval.Dict, name string) string {
	s, _ := Field(row, name).(pyval.Str)
	return string(s)
}

// Flag returns a bool field of a golden row; false if it is missing.
func Flag(row *pyval.Dict, name string) bool {
	b, _ := Field(row, name).(pyval.Bool)
	return bool(b)
}
