package command

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/child"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// open makes an adapter over one of the test programs.
func open(t *testing.T, program string, cfg Config) *Adapter {
	t.Helper()
	cfg.Command = commandOf(program)
	a := testkit.Must(New(cfg))(t)
	t.Cleanup(func() { require.NoError(t, a.Close()) })
	return a
}

func fc(text string) *eval.Request     { return request(eval.FC, text) }
func prompt(text string) *eval.Request { return request(eval.Prompt, text) }

func request(mode eval.Mode, text string) *eval.Request {
	return &eval.Request{ID: "simple_python_0", Mode: mode, Messages: []eval.Message{{Role: "user", Content: text}}}
}

func textOf(t *testing.T, a *Adapter, req *eval.Request) string {
	t.Helper()
	resp := testkit.Must(a.Generate(t.Context(), req))(t)
	return pyval.Text(resp.Result)
}

func TestConformance(t *testing.T) {
	adaptertest.Run(t, func(t *testing.T) eval.Adapter { return open(t, "good", Config{Processes: 3}) })
}

func TestAnswers(t *testing.T) {
	a := open(t, "good", Config{})
	resp := testkit.Must(a.Generate(t.Context(), fc("x")))(t)
	require.Equal(t, `[{'f': '{"b": 1.0, "a": 1}'}]`, pyval.Repr(resp.Result), "key order and 1.0 are kept")
	require.Equal(t, []int{3, 2}, []int{resp.InputTokens, resp.OutputTokens})
	require.Positive(t, resp.Latency)
	require.Equal(t, "[f(a=1)]", textOf(t, a, prompt("x")))
}

// TestFaults asks programs that misbehave. None must hang, and each message
// must say what happened.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ program, kind, want string }{
		{"exit 0", "exited", "without an answer"},
		{"exit 3", "exited", `exit status 3; standard error ends with "model file\x1b[31m missing"`},
		{"flood", "flood", "more than 10 MB"},
		{"closes out", "closed", "closed its standard output"},
		{"hang", "timeout", `the program did not answer within 2s and was stopped; give it more time with -request-timeout, and make sure that it flushes its output after each line; standard error ends with "thinking"`},
		{"error", "program", `"HTTP 503 \x1b[0m"`},
		{"child", "exited", "exit status 5"},
	} {
		t.Run(c.program, func(t *testing.T) {
			t.Parallel()
			cfg := Config{}
			if c.program == "hang" {
				cfg.Timeout = 2 * time.Second
			}
			resp, err := open(t, c.program, cfg).Generate(t.Context(), fc("x"))
			require.Nil(t, resp)
			require.ErrorContains(t, err, c.want)
			require.Equal(t, c.kind, eval.InfraKind(err))
		})
	}
}

// TestNonsense has a program write wrong lines; ID stands for the request's.
func TestNonsense(t *testing.T) {
	t.Parallel()
	a := open(t, "literal", Config{})
	for _, c := range []struct{ line, want string }{
		{`hello`, "not JSON"},
		{`[1]`, "it must be an object, not list"},
		{`{"text": "x"}`, `"id" is "None"`},
		{`{"id": "other", "text": "x"}`, `"id" is "'other'"`},
		{`{"id": "ID"}`, `it has no "calls", "text" or "error"`},
		{`{"id": "ID", "calls": {}}`, `"calls" must be an array, not dict`},
		{`{"id": "ID", "calls": ["f"]}`, "call 1 must be an object, not str"},
		{`{"id": "ID", "calls": [{"arguments": {}}]}`, `call 1 has no "name"`},
		{`{"id": "ID", "calls": [{"name": "f", "arguments": [1]}]}`, `"arguments" must be an object or a string of JSON, not list`},
		{`{"id": "ID", "text": 5}`, `"text" must be a string, not int`},
		{`{"id": "ID", "text": "x", "input_tokens": -1}`, `"input_tokens" is not`},
		{`{"id": "ID", "text": "x", "output_tokens": 1.5}`, `"output_tokens" is not`},
		{strings.Repeat("[", 100_000), "not JSON"},
		{strings.Repeat("z", 5000), "(5000 bytes)"},
	} {
		resp, err := a.Generate(t.Context(), fc(c.line))
		require.Nil(t, resp)
		require.ErrorContains(t, err, c.want)
		require.Equal(t, "protocol", eval.InfraKind(err), err)
		require.Less(t, len(err.Error()), 1500)
	}
	testkit.Fails(a.Generate(t.Context(), prompt(`{"id": "ID", "calls": [{"name": "f"}]}`)))(t, "in prompt mode")
}

func TestAcceptedLines(t *testing.T) {
	a := open(t, "literal", Config{})
	for _, c := range []struct{ line, want string }{
		{`{"id": "ID", "text": "hi", "calls": null}`, `'hi'`},
		{`{"id": "ID", "text": "hi", "calls": []}`, `'hi'`},
		{`{"id": "ID", "calls": []}`, `[]`},
		{`  {"id": "ID", "text": "", "error": null, "more": 1}  `, `''`},
		{`{"id": "ID", "calls": [{"name": "f"}], "text": "thinking"}`, `[{'f': '{}'}]`},
		{`{"id": "ID", "calls": [{"name": "f", "arguments": "{broken"}]}`, `[{'f': '{broken'}]`},
		{`{"id": "ID", "calls": [{"name": "f", "arguments": {"z": 12345678901234567890123, "a": "é"}}]}`, `[{'f': '{"z": 12345678901234567890123, "a": "é"}'}]`},
		{"\n\n" + `{"id": "ID", "text": "blank lines do not count"}`, `'blank lines do not count'`},
	} {
		resp := testkit.Must(a.Generate(t.Context(), fc(c.line)))(t)
		require.Equal(t, c.want, pyval.Repr(resp.Result))
	}
}

// TestProcessesAreReused holds that a good program and one that reports an
// error live on.
func TestProcessesAreReused(t *testing.T) {
	a := open(t, "pid", Config{})
	first := textOf(t, a, fc("x"))
	require.Equal(t, first, textOf(t, a, fc("x")))
}

func TestRestart(t *testing.T) {
	t.Parallel()
	t.Run("after a hang", func(t *testing.T) {
		a := open(t, "hang if asked", Config{Timeout: 5 * time.Second})
		first := textOf(t, a, fc("x"))
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		require.ErrorIs(t, testkit.Err(a.Generate(ctx, fc("hang"))), context.DeadlineExceeded)
		require.NotEqual(t, first, textOf(t, a, fc("x")))
	})
	t.Run("after a death", func(t *testing.T) {
		a := open(t, "dies at 2", Config{})
		require.Equal(t, "alive", textOf(t, a, fc("x")))
		testkit.Fails(a.Generate(t.Context(), fc("x")))(t, "exit status 4")
		require.Equal(t, "alive", textOf(t, a, fc("x")))
	})
	t.Run("of a program that answers once", func(t *testing.T) {
		a := open(t, "one shot", Config{})
		pids := map[string]bool{}
		for range 5 {
			pids[textOf(t, a, fc("x"))] = true
		}
		require.Len(t, pids, 5)
	})
	t.Run("of a program that ends without a newline", func(t *testing.T) {
		a := open(t, "no newline", Config{})
		require.Equal(t, "bye", textOf(t, a, fc("x")))
		require.Equal(t, "bye", textOf(t, a, fc("x")))
	})
}

// TestExtraLines holds that a line nobody asked for is an error of a later
// request, and never its answer.
func TestExtraLines(t *testing.T) {
	a := open(t, "extra", Config{})
	require.Equal(t, "x", textOf(t, a, fc("1")))
	_, err := a.Generate(t.Context(), fc("2"))
	require.ErrorContains(t, err, "and another line")
	require.Equal(t, "protocol", eval.InfraKind(err))
}

// TestExtraLineOfTheGone: that the program has ended in good order does not hide a
// line that nobody asked for.
func TestExtraLineOfTheGone(t *testing.T) {
	for range 20 {
		a := open(t, "extra, then gone", Config{Processes: 1})
		require.Equal(t, "x", textOf(t, a, fc("1")))
		p := <-a.slots
		<-p.exited
		a.slots <- p
		testkit.Fails(a.Generate(t.Context(), fc("2")))(t, "and another line")
	}
}

func TestProgramThatClosesItsInput(t *testing.T) {
	t.Parallel()
	a := open(t, "closes in", Config{})
	require.Equal(t, "x", textOf(t, a, fc("1")))
	testkit.Fails(a.Generate(t.Context(), fc(strings.Repeat("long ", 100_000))))(t, "closed its standard input")
}

// TestHugeRequest is larger than any pipe's buffer, in both directions.
func TestHugeRequest(t *testing.T) {
	a := open(t, "literal", Config{})
	text := strings.Repeat("é", 1<<20)
	require.Equal(t, text, textOf(t, a, fc(`{"id": "ID", "text": "`+text+`"}`)))
}

// TestProcessesRunAtTheSameTime needs three answers that wait for each other.
func TestProcessesRunAtTheSameTime(t *testing.T) {
	a := open(t, "pid", Config{Processes: 3})
	var wg sync.WaitGroup
	var pids sync.Map
	for range 60 {
		wg.Go(func() {
			resp, err := a.Generate(t.Context(), fc("x"))
			if err != nil {
				t.Error(err)
				return
			}
			pids.Store(pyval.Text(resp.Result), true)
		})
	}
	wg.Wait()
	n := 0
	pids.Range(func(any, any) bool { n++; return true })
	require.LessOrEqual(t, n, 3)
}

func TestWaitingForAProcessEndsWithTheContext(t *testing.T) {
	t.Parallel()
	a := open(t, "hang", Config{})
	busy, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := a.Generate(busy, fc("x"))
		done <- err
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, testkit.Err(a.Generate(ctx, fc("x"))), context.DeadlineExceeded)
	stop()
	require.ErrorIs(t, <-done, context.Canceled)
}

func TestCloseStopsRequests(t *testing.T) {
	a := open(t, "hang", Config{})
	done := make(chan error, 1)
	go func() {
		_, err := a.Generate(t.Context(), fc("x"))
		done <- err
	}()
	time.Sleep(50 * time.Millisecond)
	require.NoError(t, a.Close())
	require.ErrorContains(t, <-done, "closed")
	testkit.Fails(a.Generate(t.Context(), fc("x")))(t, "closed")
}

func TestCloseKillsADeafProgram(t *testing.T) {
	t.Parallel()
	a := open(t, "deaf at the end", Config{})
	textOf(t, a, fc("x"))
	require.NoError(t, a.Close())
	require.NoError(t, a.Close())
}

func TestNewRefuses(t *testing.T) {
	notExecutable := filepath.Join(t.TempDir(), "model.py")
	require.NoError(t, os.WriteFile(notExecutable, []byte("x"), 0o600))
	for _, c := range []struct{ line, want string }{
		{"", "empty"},
		{"  ", "empty"},
		{"no-such-program-here --x", "is the path right?"},
		{"./no-such-program", "is the path right?"},
		{notExecutable, "chmod +x"},
		{"'open", "without closing quote"},
		{"model $(date)", "not expanded"},
		{"model $HOME", "not expanded"},
		{"model | tee log", "no shell runs it"},
		{"model; rm x", "no shell runs it"},
	} {
		testkit.Fails(New(Config{Command: c.line}))(t, c.want, c.line)
	}
}

func TestStartFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model")
	require.NoError(t, os.WriteFile(path, []byte("no #! line\x00"), 0o700))
	a := testkit.Must(New(Config{Command: path}))(t)
	_, err := a.Generate(t.Context(), fc("x"))
	require.ErrorContains(t, err, "#! line")
	require.Equal(t, "start", eval.InfraKind(err))
	require.NoError(t, os.Remove(path))
	testkit.Fails(a.Generate(t.Context(), fc("x")))(t, "is the path right?")
	require.NoError(t, a.Close())
}

func TestWords(t *testing.T) {
	t.Setenv("HOME", "/home/ada")
	for line, want := range map[string][]string{
		`./model.py`:                       {"./model.py"},
		`python3  -u "my model.py" --x=1`:  {"python3", "-u", "my model.py", "--x=1"},
		`a 'b "c" $d' e\ f "g'h" ''`:       {"a", `b "c" $d`, "e f", "g'h", ""},
		`~/model.py --glob *.txt [a] {b,}`: {"/home/ada/model.py", "--glob", "*.txt", "[a]", "{b,}"},
		`模型 --温度=0.5`:                      {"模型", "--温度=0.5"},
	} {
		got, err := words(line)
		require.NoError(t, err, line)
		require.Empty(t, cmp.Diff(want, got))
	}
}

func TestTail(t *testing.T) {
	p := process{stderr: child.Tail{Most: 10}}
	require.Contains(t, p.said(), "empty")
	for _, text := range []string{"0123", "4567", "890123", strings.Repeat("b", 30) + "a", "end\n"} {
		require.Equal(t, len(text), testkit.Must(p.stderr.Write([]byte(text)))(t))
	}
	require.Equal(t, `standard error ends with "bbbbbaend"`, p.said())
}

func TestRequestLine(t *testing.T) {
	tool := testkit.Must(pyval.ParseJSON(`{"name": "f", "z": 5, "a": 5.0, "text": "é\n\ud800"}`))(t)
	req := fc("line\u2028one\nline two")
	req.Tools = []*pyval.Dict{tool.(*pyval.Dict)}
	line := testkit.Must(requestLine("7", req))(t)
	require.Equal(t, `{"id":"7","mode":"fc","messages":[{"role":"user","content":"line`+"\u2028"+`one\nline two"}],"tools":[{"name":"f","z":5,"a":5.0,"text":"é\n\ud800"}]}`+"\n", string(line))
	require.NotContains(t, string(line), "simple_python")
}

func TestPythonExample(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	testExample(t, "testdata/first.py")
}

func TestGoExample(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the go command is not installed")
	}
	program := filepath.Join(t.TempDir(), "first")
	out, err := exec.Command("go", "build", "-o", program, "./testdata/first").CombinedOutput()
	require.NoError(t, err, string(out))
	testExample(t, program)
}

func testExample(t *testing.T, program string) {
	t.Helper()
	adaptertest.Run(t, func(t *testing.T) eval.Adapter {
		return testkit.Must(New(Config{Command: program, Processes: 2}))(t)
	})
}

func FuzzParseAnswer(f *testing.F) {
	f.Add(`{"id": "1", "calls": [{"name": "f", "arguments": {"a": 1.0}}]}`)
	f.Add(`{"id": "1", "text": "x", "input_tokens": 1}`)
	f.Add(`{"id": "1", "error": {}}`)
	f.Add("{\"id\": \"\xff\"}")
	f.Fuzz(func(t *testing.T, line string) {
		resp, err := parseAnswer(line, "1", eval.FC)
		if (resp == nil) == (err == nil) {
			t.Fatalf("Response %v beside error %v", resp, err)
		}
	})
}

func FuzzWords(f *testing.F) {
	f.Add(`a 'b' "c" \d`)
	f.Add("$(x) `y` ${z")
	f.Fuzz(func(t *testing.T, line string) {
		if got, err := words(line); err == nil && len(got) == 0 {
			t.Fatal("no words and no error")
		}
	})
}

// TestBreaker has programs die at once: a few requests are enough to know.
func TestBreaker(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ program, want string }{
		{"exit 3", `the program was started 5 times in a row without an answer; the last error: the program died before it answered: exit status 3; standard error ends with "model file\x1b[31m missing"; make sure that it runs; the same command with -resume continues the run`},
		{"exit 0", "started 5 times in a row"},
	} {
		t.Run(c.program, func(t *testing.T) {
			a := open(t, c.program, Config{})
			for n := range 2 * firstDeaths {
				_, err := a.Generate(t.Context(), fc("x"))
				require.Equal(t, n >= firstDeaths-1, transport.IsFatal(err), "request %d: %v", n+1, err)
				if n >= firstDeaths-1 {
					require.ErrorContains(t, err, c.want)
					require.Equal(t, transport.CircuitOpen, eval.InfraKind(err))
				}
			}
		})
	}
}

// TestBreakerAfterAnswers holds that cases a program cannot bear do not end
// the run as fast once it has answered others.
func TestBreakerAfterAnswers(t *testing.T) {
	a := open(t, "dies if asked", Config{})
	die := func(times int) (err error) {
		for range times {
			_, err = a.Generate(t.Context(), fc("die"))
			require.Error(t, err)
		}
		return err
	}
	require.False(t, transport.IsFatal(die(firstDeaths-1)))
	require.Equal(t, "alive", textOf(t, a, fc("x")))
	require.False(t, transport.IsFatal(die(laterDeaths)), "the first death is that of a process that had answered")
	require.True(t, transport.IsFatal(die(1)))
	_, err := a.Generate(t.Context(), fc("x"))
	require.True(t, transport.IsFatal(err), "nothing is started any more")
}

// TestErrorsAreInfrastructure is the contract with the run loop.
func TestErrorsAreInfrastructure(t *testing.T) {
	_, err := open(t, "exit 3", Config{}).Generate(t.Context(), fc("x"))
	require.True(t, errors.As(err, new(*eval.InfraError)))
	require.True(t, errors.As(err, new(*exec.ExitError)), "the exit status is kept")
}
