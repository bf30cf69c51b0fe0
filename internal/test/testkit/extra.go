package testkit

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Must returns what gives a value of a call that must not fail:
//
//	data := testkit.Must(os.ReadFile(path))(t)
func Must[T any](v T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		require.NoError(t, err)
		return v
	}
}

// Fails returns what checks that a call fails, and what its error says:
//
//	testkit.Fails(os.ReadFile(path))(t, "no such file")
func Fails[T any](_ T, err error) func(t testing.TB, says string, about ...any) {
	return func(t testing.TB, says string, about ...any) {
		t.Helper()
		require.ErrorContains(t, err, says, about...)
	}
}

// Err returns the error of a call whose value is of no interest.
func Err[T any](_ T, err error) error { return err }

// Write writes a file, and the folders that it lies in.
func Write(t testing.TB, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

// Folder returns a new folder with files.
func Folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		Write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	return dir
}

// AllVariable is the environment variable that makes Extra tests run.
const AllVariable = "BFCL_TEST_ALL"

// Extra skips a test that builds the module again, installs other people's
// packages, or goes through all official data, unless $BFCL_TEST_ALL is set, as it
// is in CI, and -short is not. does says what the test does.
func Extra(t testing.TB, does string) {
	t.Helper()
	if testing.Short() || Some(0, 1) == 0 {
		t.Skipf("%s: runs with %s=1 and without -short", does, AllVariable)
	}
}

// Some is how often to repeat what takes long: all times in CI, else a few.
func Some(few, all int) int {
	if os.Getenv(AllVariable) == "" {
		return few
	}
	return all
}

// Waiting lets more tests run at once than there are processors, in packages whose
// tests mostly wait for processes and servers. -parallel still counts.
func Waiting() {
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
}
