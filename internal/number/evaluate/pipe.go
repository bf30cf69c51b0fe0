package evaluate

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/parallel"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
)

const (
	// longestLine bounds a line, in bytes.
	longestLine = 16 << 20
	// readBytes is how much is read, and judged together, at a time.
	readBytes = 1 << 20
)

// A Pipe judges answers line by line.
type Pipe struct {
	Bench *Bench
	// Dataset is the dataset of lines that name none.
	Dataset string
	// Mode, Dialect and Dots are those of lines that state none. If none is
	// stated, the mode goes by the answer's form, and whether dots in names became
	// underscores by the mode.
	Mode    eval.Mode
	Dialect string
	Dots    *bool
}

// A Tally counts the lines of a Pipe.
type Tally struct {
	// Lines is the number of lines that were judged and Bad the number of lines
	// that could not be; FirstBad is the number of the first of these.
	Lines, Bad, FirstBad int
}

// A judged is what is said of a line.
type judged struct {
	Line int `json:"line"`
	*Verdict
	// Error says what is wrong with the line itself.
	Error string `json:"error,omitempty"`
}

// A lineIn is a line of the input.
type lineIn struct {
	number int
	text   string
	err    error // why the line cannot be judged; nil if it can
	out    bytes.Buffer
}

// Run judges the lines of in until its end and writes what is said of them in
// the same order, without waiting for lines that have not come yet. Memory does
// not grow with the number of lines.
func (p *Pipe) Run(in io.Reader, out io.Writer) (n Tally, err error) {
	from, to := bufio.NewReaderSize(in, readBytes), bufio.NewWriter(out)
	var lines []*lineIn
	for number, size := 1, 0; ; number++ {
		line := &lineIn{number: number}
		text, err := plainfile.Line(from, longestLine)
		if errors.Is(err, plainfile.ErrLong) {
			line.err, err = err, nil
		}
		if line.text = text; line.err != nil || strings.TrimSpace(text) != "" {
			lines, size = append(lines, line), size+len(text)
		}
		if err == nil && from.Buffered() > 0 && size < readBytes {
			continue
		}
		parallel.Each(len(lines), func(i int) { p.judge(lines[i]) })
		for _, line := range lines {
			if n.Lines++; line.err != nil {
				n.Bad++
				n.FirstBad = cmp.Or(n.FirstBad, line.number)
			}
			_, _ = to.Write(line.out.Bytes()) // Flush returns the error
		}
		if err := to.Flush(); err != nil {
			return n, err
		}
		switch {
		case errors.Is(err, io.EOF):
			return n, nil
		case err != nil:
			return n, err
		}
		lines, size = nil, 0
	}
}

// judge judges a line.
func (p *Pipe) judge(line *lineIn) {
	said := judged{Line: line.number}
	if line.err == nil {
		said.Verdict, line.err = p.line(line.text)
	}
	if line.err != nil {
		said.Error = fmt.Sprintf("line %d: %v", said.Line, line.err)
	}
	_ = say.EncodeJSON(&line.out, said, "")
}

// fields are those of a line: texts, and behind them another and those of answers.
var fields = append([]string{"dataset", "id", "mode", "dialect", "underscore_to_dot"}, forms...)

// line judges one line. A panic is an error of that line only.
func (p *Pipe) line(text string) (_ *Verdict, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("this is a defect, please report it: %v\n%s", cause, debug.Stack())
		}
	}()
	v, err := pyval.ParseJSON(text)
	if err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	row, ok := v.(*pyval.Dict)
	if !ok {
		return nil, fmt.Errorf("want an object, not %s", pyval.TypeName(v))
	}
	for key := range row.All() {
		if name := pyval.Text(key); !row.Has(asResult) && !slices.Contains(fields, name) { // a line of a result file has more
			return nil, fmt.Errorf("unknown field %.80q: use %s", name, strings.Join(fields, ", "))
		}
	}
	id, name, mode, reader := "", p.Dataset, string(p.Mode), p.Dialect
	for i, to := range []*string{&name, &id, &mode, &reader} {
		v, has := row.GetStr(fields[i])
		text, isText := v.(pyval.Str)
		switch {
		case isText:
			*to = string(text)
		case has:
			return nil, fmt.Errorf("%s: want a text, not %s", fields[i], pyval.TypeName(v))
		}
	}
	if id == "" {
		return nil, errors.New("want the case's id")
	}
	set, err := p.Bench.open(name)
	if err != nil {
		return nil, err
	}
	found, err := set.Find(id)
	if err != nil {
		return nil, err
	}
	settings, err := p.settings(row, mode, reader)
	if err != nil {
		return nil, err
	}
	return set.judge(found, row, settings)
}

// judge judges the answer in a row.
func (s *set) judge(of suite.Indexed, row *pyval.Dict, settings eval.Settings) (*Verdict, error) {
	settings.Executor = s.executor
	switch {
	case of.Category.MultiTurn() && !row.Has(asResult):
		return nil, fmt.Errorf("%s is a conversation: give its result, a list of turns of steps", of.Case.ID)
	case of.Category.PromptOnly && settings.Mode != eval.Prompt:
		return nil, fmt.Errorf("%s is posed only in prompt mode: give text, and the mode prompt", of.Case.ID)
	}
	var tools []*pyval.Dict
	if settings.Dialect != "" {
		tools = eval.Pose(of.Case, 0, settings).Tools
	}
	resp, err := answered(row, settings, tools)
	if err != nil {
		return nil, err
	}
	out := engine.Judge(of.Category, of.Case, resp, settings)
	return s.verdict(&out, settings), nil
}

// settings returns how a line's answer is read. Text is read in prompt mode,
// unless the line or the pipe says otherwise or there is a dialect.
func (p *Pipe) settings(row *pyval.Dict, given, reader string) (s eval.Settings, err error) {
	form, err := formOf(row)
	if err != nil {
		return s, err
	}
	mode, err := eval.ParseMode(given)
	if err := errors.Join(err, dialect.Check(reader)); err != nil {
		return s, err
	}
	if _, isText := provider.Get(row, form).(pyval.Str); mode == "" && isText && reader == "" {
		mode = eval.Prompt
	}
	s = eval.SettingsFor(cmp.Or(mode, eval.FC))
	s.Dialect = reader
	if p.Dots != nil {
		s.UnderscoreToDot = *p.Dots
	}
	if v, ok := row.GetStr("underscore_to_dot"); ok {
		dots, isBool := v.(pyval.Bool)
		if !isBool {
			return s, fmt.Errorf("underscore_to_dot: want true or false, not %s", pyval.TypeName(v))
		}
		s.UnderscoreToDot = bool(dots)
	}
	return s, nil
}

// mostDatasets is how many datasets a Bench opens: it may serve for days.
const mostDatasets = 16

// A Bench finds cases. It opens a dataset when it is first named and keeps it
// open. It is safe for concurrent use.
type Bench struct {
	// Data is the folder that holds v4/ and v1/; see fixtures.DataDir.
	Data string
	// Replay are files of recorded API answers, as for -api-replay; "" for the
	// dataset's own.
	Replay string

	mu   sync.Mutex
	sets map[string]func() (*set, error)
}

// A set is an open dataset.
type set struct {
	*suite.Index
	errata   *errata.List // nil if there is none
	executor eval.Executor
}

// open returns a dataset.
func (b *Bench) open(name string) (*set, error) {
	b.mu.Lock()
	if b.sets == nil {
		b.sets = map[string]func() (*set, error){}
	}
	if b.sets[name] == nil && len(b.sets) < mostDatasets {
		b.sets[name] = sync.OnceValues(func() (*set, error) { return load(name, b.Data, b.Replay) })
	}
	open := b.sets[name]
	b.mu.Unlock()
	if open == nil {
		return nil, fmt.Errorf("%d datasets are open, and no more are opened: start another process for %.200q", mostDatasets, name)
	}
	return open()
}

func load(name, data, replay string) (*set, error) {
	d, err := fixtures.Open(name, data)
	if err != nil {
		return nil, err
	}
	s := &set{}
	if s.Index, err = suite.IndexOf(d, nil); err != nil {
		return nil, err
	}
	digest, err := d.Digest()
	if err != nil {
		return nil, err
	}
	if s.errata, err = errata.For(digest); err != nil {
		return nil, err
	}
	s.executor, err = suite.ForRun(context.Background(), d, map[string]string{suite.ReplayParameter: replay})
	return s, err
}
