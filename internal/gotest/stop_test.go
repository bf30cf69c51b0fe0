package gotest

import (
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		signals := make(chan os.Signal, 2)
		s := stopOn(t.Context(), signals, 10*time.Second, time.Time{}, false)
		defer s.release()
		synctest.Wait()
		assert.False(t, s.stopping())
		signals <- os.Interrupt
		synctest.Wait()
		assert.True(t, s.stopping(), "nothing begins")
		time.Sleep(9 * time.Second)
		assert.NoError(t, s.work.Err(), "what is in flight goes on")
		time.Sleep(2 * time.Second)
		synctest.Wait()
		assert.Error(t, s.work.Err(), "until the grace is over")
	})
	synctest.Test(t, func(t *testing.T) {
		signals := make(chan os.Signal, 2)
		s := stopOn(t.Context(), signals, time.Hour, time.Time{}, false)
		defer s.release()
		signals <- os.Interrupt
		signals <- syscall.SIGTERM
		synctest.Wait()
		assert.True(t, s.stopping())
		assert.NoError(t, s.work.Err(), "an engine's signal and the one passed on are one")
		time.Sleep(Repeated)
		signals <- os.Interrupt
		synctest.Wait()
		assert.Error(t, s.work.Err(), "a second signal gives up")
	})
	synctest.Test(t, func(t *testing.T) {
		signals := make(chan os.Signal, 2)
		s := stopOn(t.Context(), signals, time.Minute, time.Time{}, true)
		defer s.release()
		for range 10 {
			signals <- syscall.SIGTERM
			time.Sleep(2 * time.Second)
		}
		assert.True(t, s.stopping())
		assert.NoError(t, s.work.Err(), "the process that leads it decides when to give up")
	})
	synctest.Test(t, func(t *testing.T) {
		s := stopOn(t.Context(), make(chan os.Signal), time.Hour, time.Time{}, false)
		s.release() // and no goroutine stays, which synctest would report
		synctest.Wait()
		assert.True(t, s.stopping())
	})
	synctest.Test(t, func(t *testing.T) {
		s := stopOn(t.Context(), make(chan os.Signal), 10*time.Second, time.Now().Add(time.Minute), false)
		defer s.release()
		time.Sleep(44 * time.Second)
		synctest.Wait()
		assert.False(t, s.stopping())
		time.Sleep(2 * time.Second)
		synctest.Wait()
		assert.True(t, s.stopping(), "before the deadline nothing begins")
		assert.Equal(t, "the time limit of -timeout has passed", s.why())
		assert.NoError(t, s.work.Err(), "what is in flight goes on")
		time.Sleep(9 * time.Second)
		synctest.Wait()
		assert.Error(t, s.work.Err(), "and is given up before the deadline")
	})
}

// TestBefore: there is always time left to end in.
func TestBefore(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ left, grace, at, short time.Duration }{
		{10 * time.Minute, 10 * time.Second, 10*time.Minute - 15*time.Second, 10 * time.Second},
		{10 * time.Second, 10 * time.Second, 5 * time.Second, 2500 * time.Millisecond},
		{10 * time.Second, 0, 5 * time.Second, 0},
		{time.Minute, 10 * time.Hour, 30 * time.Second, 25 * time.Second},
	} {
		at, short := before(row.left, row.grace)
		assert.Equal(t, row.at, at)
		assert.Equal(t, row.short, short)
		assert.LessOrEqual(t, at+short, row.left)
	}
}
