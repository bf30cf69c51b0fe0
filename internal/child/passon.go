package child

import (
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Outlast makes this process ignore the signals that end a run. Its input ends
// with the process before it, which has been signaled too: some engines signal
// every process of a job.
func Outlast() { signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) }

// PassOn is the argument with which this program starts itself as that process.
const PassOn = "own-bfcl-events"

func init() {
	if len(os.Args) == 2 && os.Args[1] == PassOn {
		Outlast()
		if _, err := io.Copy(os.Stdout, os.Stdin); err != nil {
			_, _ = os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(2) // as after other trouble
		}
		os.Exit(0)
	}
}
