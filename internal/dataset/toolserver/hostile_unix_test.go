//go:build unix

package toolserver_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/dataset/toolserver"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestHostile: servers that die, babble or send megabytes end in an error with
// its cause. Those that do not end by themselves get little grace, the others
// all they need.
func TestHostile(t *testing.T) {
	t.Parallel()
	const little, ample = time.Millisecond, 10 * time.Minute
	for _, c := range []struct {
		name, script, want string
		grace              time.Duration
	}{
		{"die", "echo no license >&2; exit 3", `exit code 3; its last output: "no license"`, ample},
		{"babble", "echo hello; sleep 1000", "", little},
		{"megabytes", `printf '{"jsonrpc": "'; while :; do printf '%01000d' 0; done`, "sent more than 1 MB", little},
		{"other protocol", `read line; echo '{"jsonrpc": "2.0", "id": 1, "result": {"tools": 7}}'; exit 4`, "exit code 4", ample},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := toolserver.Command(t.Context(), []string{"sh", "-c", c.script}, toolserver.Limits{Timeout: ample, Bytes: 1 << 20, Grace: c.grace})
			require.Error(t, err)
			assert.Contains(t, err.Error(), c.want)
			assert.NotContains(t, err.Error(), "in time")
		})
	}
	testkit.Fails(toolserver.Command(t.Context(), []string{filepath.Join(t.TempDir(), "none")}, toolserver.Limits{}))(t, "cannot be started")
	testkit.Fails(toolserver.Command(t.Context(), nil, toolserver.Limits{}))(t, "no program")
}

// TestHang: a server that says nothing is ended with what it has started, when
// its time is over or the user interrupts.
func TestHang(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		ends error
		want string
	}{
		{"late", context.DeadlineExceeded, "did not answer in time; give it more with --timeout"},
		{"interrupted", context.Canceled, context.Canceled.Error()},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "child")
			ctx := ending(t)
			failed := make(chan error, 1)
			go func() {
				script := "sleep 1000 & echo $! > " + file + ".new; mv " + file + ".new " + file + "; sleep 1000"
				_, err := toolserver.Command(ctx, []string{"sh", "-c", script}, toolserver.Limits{Timeout: time.Hour})
				failed <- err
			}()
			var text []byte
			require.Eventually(t, func() (there bool) {
				var err error
				text, err = os.ReadFile(file)
				return err == nil
			}, 5*time.Minute, 5*time.Millisecond, "the server runs")
			child := testkit.Must(strconv.Atoi(strings.TrimSpace(string(text))))(t)
			require.True(t, testkit.Runs(child))
			ctx.end(c.ends)
			require.ErrorContains(t, <-failed, c.want)
			testkit.RequireEnds(t, child)
		})
	}
}
