package suitetest

import (
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		signals := make(chan os.Signal, 2)
		s := stopOn(signals, 10*time.Second)
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
		s := stopOn(signals, time.Hour)
		defer s.release()
		signals <- os.Interrupt
		signals <- os.Interrupt
		synctest.Wait()
		assert.Error(t, s.work.Err(), "a second signal gives up")
	})
	synctest.Test(t, func(t *testing.T) {
		s := stopOn(make(chan os.Signal), time.Hour)
		s.release() // and no goroutine stays, which synctest would report
		synctest.Wait()
		assert.True(t, s.stopping())
	})
}
