package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/say"
)

// LedgerFile has a line for each request that was sent to the model, and
// olderLedger those before it was full.
const (
	LedgerFile  = "requests.jsonl"
	olderLedger = "requests.1.jsonl"
)

// A line of the ledger is padded to its width: it is written when a request is
// sent, and written over when more is known, so that a kill loses no request.
const (
	ledgerWidth = 448
	ledgerLines = 150_000 // of a file, 64 MB
)

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
)

// A Sent is a line of the ledger: a request that was sent. It holds no texts and
// no keys.
type Sent struct {
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
	// Dollars is the price of the reply, 0 if it is not known, and Seconds the
	// time to its end while this process ran.
	Dollars float64 `json:"dollars,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
	// Served is the model by the server's word, Fingerprint its
	// system_fingerprint, and Proxy the host that carried the request.
	Served      string `json:"served,omitempty"`
	Fingerprint string `json:"fingerprint,omitempty"`
	Proxy       string `json:"proxy,omitempty"`
	Fate        Fate   `json:"fate,omitempty"`
	// Before are the sums of older requests that are no longer listed.
	Before map[Fate]Sum `json:"before,omitempty"`

	file *os.File
	at   int64
}

// A Sum counts requests and adds up their prices in dollars.
type Sum struct {
	Requests int     `json:"requests"`
	Dollars  float64 `json:"dollars"`
}

// A Ledger is the ledger of a run that is being made. A nil Ledger notes
// nothing. It is safe for concurrent use.
type Ledger struct {
	mu   sync.Mutex
	dir  string
	file *os.File
	size int64
	full int64
}

// OpenLedger opens a run folder's ledger to continue it.
func OpenLedger(dir string) (*Ledger, error) {
	l := &Ledger{dir: dir, full: ledgerLines * ledgerWidth}
	return l, l.open()
}

func (l *Ledger) open() (err error) {
	path := filepath.Join(l.dir, LedgerFile)
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is a link or not a regular file, and is not written to: remove it", path)
	}
	if l.file, err = os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644); err != nil {
		return err
	}
	info, err := l.file.Stat()
	if err != nil {
		return err
	}
	l.size = info.Size() / ledgerWidth * ledgerWidth // without a torn line
	return l.file.Truncate(l.size)
}

// Put writes a line, or writes over it. What cannot be written is lost: the
// answers matter more.
func (l *Ledger) Put(s *Sent) {
	if l == nil {
		return
	}
	line := s.line()
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.file == nil {
		if l.size >= l.full && l.rotate() != nil || l.file == nil {
			return
		}
		s.file, s.at = l.file, l.size
		l.size += ledgerWidth
	}
	_, _ = s.file.WriteAt(line, s.at) // to a file that was rotated away and closed: lost
}

// line returns the padded line; texts that do not fit are cut.
func (s *Sent) line() []byte {
	for most := 80; ; most /= 2 {
		cut := *s
		for _, text := range []*string{&cut.Case, &cut.Error, &cut.Finish, &cut.Served, &cut.Fingerprint, &cut.Proxy} {
			*text = say.Plain(*text, max(most, 1))
		}
		data, err := json.Marshal(cut)
		if err != nil { // NaN: a price that no file can state
			s.Dollars, s.Seconds = 0, 0
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

// rotate begins a new file. It opens with the sums of the file before the last,
// which goes.
func (l *Ledger) rotate() error {
	before, err := readLedgerFile(filepath.Join(l.dir, olderLedger), nil)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.Rename(filepath.Join(l.dir, LedgerFile), filepath.Join(l.dir, olderLedger)); err != nil {
		return err
	}
	if err := l.open(); err != nil {
		return err
	}
	if before != nil {
		head := &Sent{Before: before}
		l.size = ledgerWidth
		_, err = l.file.WriteAt(head.line(), 0)
	}
	return err
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

// ReadLedger reads a run folder's ledger: each request, the oldest first, and
// the sums of all, including those that are no longer listed. The error is
// os.ErrNotExist if there is none.
func ReadLedger(dir string, each func(Sent)) (map[Fate]Sum, error) {
	older, err := readLedgerFile(filepath.Join(dir, olderLedger), each)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	sums, err := readLedgerFile(filepath.Join(dir, LedgerFile), each)
	if err != nil {
		return nil, err
	}
	for fate, sum := range older {
		sums[fate] = sums[fate].plus(sum)
	}
	return sums, nil
}

func (s Sum) plus(other Sum) Sum {
	return Sum{s.Requests + other.Requests, s.Dollars + other.Dollars}
}

func readLedgerFile(path string, each func(Sent)) (map[Fate]Sum, error) {
	file, err := plainfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	sums, line := map[Fate]Sum{}, make([]byte, ledgerWidth)
	for n := 1; ; n++ {
		if _, err := io.ReadFull(file, line); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) { // the last line is torn
				return sums, nil
			}
			return nil, err
		}
		var s Sent
		if err := json.Unmarshal(line, &s); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		for fate, sum := range s.Before {
			sums[fate] = sums[fate].plus(sum)
		}
		if s.Before == nil {
			sums[s.Fate] = sums[s.Fate].plus(Sum{1, s.Dollars})
			if each != nil {
				each(s)
			}
		}
	}
}
