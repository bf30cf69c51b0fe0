package record

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/say"
)

// LedgerFile has a line for each request that was sent to the model.
const LedgerFile = "requests.jsonl"

// A line of the ledger is padded to its width: it is written when a request is
// sent, and written over when more is known, so that a kill loses no request.
// Readers go by the line ends, which outlive conversions of the file.
const ledgerWidth = 448

// A Fate is what became of a request.
type Fate string

// The fates of requests.
const (
	// Open: no reply came before the process ended.
	Open Fate = "open"
	// Retried: the attempt failed, and another followed.
	Retried Fate = "retried"
	// Refused: the last attempt failed.
	Refused Fate = "refused"
	// Answered: a reply came, but not yet the end of its case.
	Answered Fate = "answered"
	// Kept: the reply is part of a recorded answer.
	Kept Fate = "kept"
	// Abandoned: a reply came, but its case has no answer.
	Abandoned Fate = "abandoned"
	// Looked: a reply came to a question about the server, which is of no case.
	Looked Fate = "looked"

	// pass is that of no request: the line begins those of a process.
	pass Fate = "pass"
)

// A Sent is a line of the ledger: a request that was sent. It holds no texts and
// no keys.
type Sent struct {
	// Case names the case; see LedgerName.
	Case  string `json:"case,omitempty"`
	Trial int    `json:"trial,omitempty"` // from 0
	// Step counts a case's requests, and Attempt the times each was sent, from 1.
	Step    int       `json:"step,omitempty"`
	Attempt int       `json:"attempt,omitempty"`
	At      time.Time `json:"at,omitzero"`
	Status  int       `json:"status,omitempty"`
	// Error is the kind of the error; "" without one.
	Error  string `json:"error,omitempty"`
	Finish string `json:"finish,omitempty"`
	Input  int    `json:"in,omitempty"`
	Output int    `json:"out,omitempty"`
	// Dollars is the price of the reply. Unpriced says that it is not known, or
	// not in full.
	Dollars  float64 `json:"dollars,omitempty"`
	Unpriced bool    `json:"unpriced,omitempty"`
	// Seconds is the time to the end of the reply while this process ran.
	Seconds float64 `json:"seconds,omitempty"`
	// Served is the model by the server's word, Fingerprint its
	// system_fingerprint, and Proxy the host that carried the request.
	Served      string `json:"served,omitempty"`
	Fingerprint string `json:"fingerprint,omitempty"`
	Proxy       string `json:"proxy,omitempty"`
	Fate        Fate   `json:"fate,omitempty"`
	// Lost counts, in the line that begins a pass, what the ledger lacks: lines
	// that could not be written, and passes before that it does not tell of.
	Lost int `json:"lost,omitempty"`

	at    int64
	noted bool
}

// Money returns what the request cost. An older ledger does not say of a reply
// that its price is not known.
func (s *Sent) Money() eval.Money {
	m := eval.Money{Dollars: s.Dollars, Requests: 1}
	replied := s.Fate == Kept || s.Fate == Answered || s.Fate == Abandoned || s.Fate == Looked
	if s.Unpriced || s.Fate == Open || replied && s.Input == 0 && s.Dollars == 0 {
		m.Unknown = 1
	}
	if m.Sane() != m {
		return eval.Money{Requests: 1, Unknown: 1}
	}
	return m
}

// Take notes what Looks returned in another process, as JSON; "" is nothing.
func (l *Ledger) Take(looks string) error {
	if looks == "" {
		return nil
	}
	return json.Unmarshal([]byte(looks), &l.looks)
}

// LedgerName returns the name of a case in the ledger: its id, unless that is too
// long for a line.
func LedgerName(id string) string {
	const most = 100
	if text, _ := json.Marshal(id); len(text) <= most+2 {
		return id
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(id)))
}

// A Ledger is the ledger of a run that is being made. A nil Ledger notes
// nothing; the zero value notes in memory, before there is a run. It is safe for
// concurrent use.
type Ledger struct {
	mu    sync.Mutex
	file  *os.File
	size  int64
	begin Sent // of this pass
	looks []*Sent
}

// Looks returns what was noted before there was a run: requests of no case, which
// looked at the server.
func (l *Ledger) Looks() (out []Sent) {
	if l == nil {
		return nil
	}
	for _, s := range l.looks {
		look := *s
		look.Case, look.Trial, look.Step, look.noted = "", 0, 0, false
		if look.Fate == Answered {
			look.Fate = Looked
		}
		out = append(out, look)
	}
	return out
}

// OpenLedger opens a run folder's ledger to continue it. begun says that
// requests were sent for the run before: without a ledger, they are lost.
func OpenLedger(dir string, begun bool) (*Ledger, error) {
	path := filepath.Join(dir, LedgerFile)
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is a link or not a regular file, and is not written to: remove it", path)
	}
	l := &Ledger{begin: Sent{Fate: pass, At: time.Now().UTC().Truncate(time.Millisecond)}}
	if l.file, err = os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644); err != nil {
		return nil, err
	}
	if l.size, err = l.file.Seek(0, io.SeekEnd); l.size == 0 && begun {
		l.begin.Lost = 1
	} else if err == nil && l.size > 0 {
		last := make([]byte, 1)
		if _, err = l.file.ReadAt(last, l.size-1); err == nil && last[0] != '\n' { // lines are lost, and perhaps a part of one
			_, err = l.file.WriteAt([]byte("\n"), l.size)
			l.size, l.begin.Lost = l.size+1, 1
		}
	}
	if err != nil {
		return nil, errors.Join(err, l.file.Close())
	}
	l.Put(&l.begin)
	return l, nil
}

// Put writes a line, or writes over it. What cannot be written is lost, because
// the answers matter more; the line that begins the pass says so, for which there
// is room.
func (l *Ledger) Put(s *Sent) {
	if l == nil {
		return
	}
	line := s.line()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		if !s.noted {
			l.looks, s.noted = append(l.looks, s), true
		}
		return
	}
	if !s.noted {
		s.at = l.size
	}
	if _, err := l.file.WriteAt(line, s.at); err == nil {
		if !s.noted {
			s.noted = true
			l.size += ledgerWidth
		}
		return
	}
	if !s.noted {
		_ = l.file.Truncate(l.size)
	}
	if l.begin.Lost++; l.begin.noted {
		_, _ = l.file.WriteAt(l.begin.line(), l.begin.at)
	}
}

// line returns the padded line; texts that do not fit are cut.
func (s *Sent) line() []byte {
	for most := 80; ; most /= 2 {
		cut := *s
		cut.Case = LedgerName(s.Case)
		for _, text := range []*string{&cut.Error, &cut.Finish, &cut.Served, &cut.Fingerprint, &cut.Proxy} {
			*text = say.Plain(*text, max(most, 1))
		}
		data, err := json.Marshal(cut)
		if err != nil { // NaN: a price that no file can state
			s.Dollars, s.Seconds, s.Unpriced = 0, 0, true
			continue
		}
		if len(data) < ledgerWidth || most == 0 {
			line := bytes.Repeat([]byte(" "), ledgerWidth)
			copy(line, data)
			line[ledgerWidth-1] = '\n'
			return line
		}
	}
}

// Close closes the file.
func (l *Ledger) Close() error {
	if l == nil || l.file == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file.Close()
}

// ReadLedger reads a run folder's ledger: each request, the oldest first. lost
// counts what it lacks or cannot be read of it. The error is os.ErrNotExist if
// there is none.
func ReadLedger(dir string, each func(*Sent)) (lost int, err error) {
	file, err := plainfile.Open(filepath.Join(dir, LedgerFile))
	if err != nil {
		return 0, err
	}
	defer func() { _ = file.Close() }()
	const longest = 1 << 20
	in := bufio.NewScanner(file)
	in.Buffer(nil, longest)
	for in.Scan() {
		var s Sent
		switch err := json.Unmarshal(in.Bytes(), &s); {
		case len(bytes.TrimSpace(in.Bytes())) == 0:
		case err != nil || s.Fate == "":
			lost++
		case s.Fate == pass:
			lost += max(0, s.Lost)
		default:
			each(&s)
		}
	}
	if errors.Is(in.Err(), bufio.ErrTooLong) { // no line of ours: what comes after it is not read
		return lost + 1, nil
	}
	return lost, in.Err()
}
