package chaos_test

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/chaos"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestCourses walks courses with the built command, outside of a checkout, one
// for each seed: whatever is printed after an act is right, or refused with a
// reason.
func TestCourses(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short: builds the command and runs it some four hundred times")
	}
	if runtime.GOOS == "windows" {
		t.Skip("signals, links and limits are those of Unix")
	}
	root := testkit.ModuleRoot(t)
	command, err := testkit.Command(t.TempDir())
	require.NoError(t, err)
	const each, atOnce = 2, 2
	var (
		mu             sync.Mutex
		wg             sync.WaitGroup
		right, refused int
		done           = map[string]int{}
		places         = make(chan struct{}, atOnce)
	)
	for i := range uint64(*seeds) {
		seed := *first + i
		wg.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			account := chaos.Course{
				Command: command, Env: append(os.Environ(), "OPENAI_API_KEY=unused", "NO_COLOR=1"),
				Starter: filepath.Join(root, "fixtures", "starter"), Dir: t.TempDir(), Seed: seed, Acts: each,
			}.Walk()
			mu.Lock()
			defer mu.Unlock()
			assert.Emptyf(t, account.Problems, "seed %d", seed)
			right, refused = right+account.Right, refused+account.Refused
			add(done, account.Acts)
		})
	}
	wg.Wait()
	assert.Positive(t, right)
	assert.Positive(t, refused)
	t.Logf("%d seeds: %d commands printed the right number, %d refused one with a reason", *seeds, right, refused)
	t.Logf("acts: %v", done)
}
