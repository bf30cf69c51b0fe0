package suite

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/world/embed"
	"github.com/gobfcl/bfcl/internal/world/web"
)

const (
	// ownFiles is how many files a run has open besides answers and
	// connections: its standard streams, locks, the runtime's files and a
	// dataset's file.
	ownFiles = 16
	// programFiles is how many files a program that answers needs: its three
	// pipes, and their other ends while it starts.
	programFiles = 6
	// endpointFiles is how many files an agent's connections to its tools need:
	// a stream of notices, and calls made in parallel.
	endpointFiles = 6
)

// filesOfCase returns how many files a case in flight has open.
func (m *model) filesOfCase(o Options) int {
	n := 0
	switch {
	case m.kind.Remote:
		n = 1
	case m.kind.Agent:
		n = programFiles + endpointFiles
	case m.kind.Chat:
		n = programFiles
	default:
		return 0
	}
	for _, asks := range []bool{
		o.Search == web.SerpAPI || strings.HasPrefix(o.Search, web.SearXNG),
		o.Exec == Live || o.Exec == Record,
		o.Embedder != "" && o.Embedder != embed.Default,
	} {
		if asks { // requests other than to the model
			n++
		}
	}
	return n
}

// room returns how many cases may be in flight with the files that this process
// may open; bounded is false if they need no files, or the number is not
// limited.
func (m *model) room(o Options) (n int, bounded bool) {
	limit, ok := plainfile.OpenLimit()
	each := m.filesOfCase(o)
	if !ok || each == 0 {
		return 0, false
	}
	return max((limit-m.otherFiles(limit))/each, 0), true
}

// otherFiles returns how many files a run may have open besides those of cases
// in flight.
func (m *model) otherFiles(limit int) int {
	return max(ownFiles, plainfile.OpenFiles()) + record.Files(limit) + transport.Beside + transport.Dials*transport.DialFiles
}

// inFlight returns the number of cases in flight: what is asked for, or what
// there is room for.
func (m *model) inFlight(o Options) int {
	n := m.concurrency(o)
	if most, bounded := m.room(o); bounded {
		return min(n, most)
	}
	return n
}

// fit adds a note if the limit of open files allows fewer cases in flight than
// asked for. It returns an error if it allows none.
func (p *Plan) fit() error {
	m, o := &p.model, p.options
	limit, _ := plainfile.OpenLimit()
	switch asked := m.concurrency(o); {
	case p.Concurrency == asked:
		return nil
	case p.Concurrency < 1:
		return &Refusal{fmt.Errorf("this process may open %d files (ulimit -n), and a run needs %d: raise the limit", limit, m.otherFiles(limit)+m.filesOfCase(o))}
	default:
		p.note(fmt.Sprintf("this process may open %d files (ulimit -n): at most %s in flight, not %d", limit, say.Count(p.Concurrency, "case is", "cases are"), asked))
	}
	return nil
}
