package command

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// playProgram, with a program's name behind it, makes the test binary play a
// user's program instead of running tests.
const playProgram = "-play"

// commandOf is the command line that plays a program.
func commandOf(program string) string {
	return fmt.Sprintf("'%s' %s '%s'", os.Args[0], playProgram, program)
}

// TestMain runs the tests, or the program they ask. No test may leave a
// goroutine behind.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == playProgram {
		play(programs[os.Args[2]])
		return
	}
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0") // else each exit takes a second under -race
	goleak.VerifyTestMain(m)
}

// A question is what the programs read of a request.
type question struct {
	ID       string
	Mode     string
	Messages []struct{ Role, Content string }
}

func play(program func(n int, q question)) {
	in := bufio.NewReaderSize(os.Stdin, 16<<20)
	for n := 1; ; n++ {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		var q question
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(9)
		}
		program(n, q)
	}
}

func tell(format string, args ...any) { fmt.Printf(format+"\n", args...) }

func sayText(q question, text string) { tell(`{"id": %q, "text": %q}`, q.ID, text) }

// programs are the programs by name. Each is called for one line, the nth.
var programs = map[string]func(n int, q question){
	"good": func(_ int, q question) {
		if q.Mode == "fc" {
			tell(`{"id": %q, "calls": [{"name": "f", "arguments": {"b": 1.0, "a": 1}}], "input_tokens": 3, "output_tokens": 2}`, q.ID)
			return
		}
		sayText(q, "[f(a=1)]")
	},
	"literal":  func(_ int, q question) { tell(strings.ReplaceAll(q.Messages[0].Content, "ID", q.ID)) },
	"pid":      func(_ int, q question) { sayText(q, fmt.Sprint(os.Getpid())) },
	"one shot": func(_ int, q question) { sayText(q, fmt.Sprint(os.Getpid())); os.Exit(0) },
	"exit 0":   func(int, question) { os.Exit(0) },
	"exit 3":   func(int, question) { fmt.Fprint(os.Stderr, "model file\x1b[31m missing\n"); os.Exit(3) },
	"dies at 2": func(n int, q question) {
		if n == 2 {
			os.Exit(4)
		}
		sayText(q, "alive")
	},
	"dies if asked": func(_ int, q question) {
		if q.Messages[0].Content == "die" {
			os.Exit(4)
		}
		sayText(q, "alive")
	},
	"hang": func(int, question) { fmt.Fprint(os.Stderr, "thinking"); time.Sleep(time.Hour) },
	"hang if asked": func(_ int, q question) {
		if q.Messages[0].Content == "hang" {
			time.Sleep(time.Hour)
		}
		sayText(q, fmt.Sprint(os.Getpid()))
	},
	"deaf at the end": func(_ int, q question) { sayText(q, "x"); time.Sleep(time.Hour) },
	"child": func(int, question) {
		child := exec.Command("sleep", "3600")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		_ = child.Start()
		fmt.Fprintf(os.Stderr, "child %d\n", child.Process.Pid)
		os.Exit(5)
	},
	"flood": func(int, question) {
		for block := strings.Repeat("x", 1<<20); ; {
			fmt.Print(block)
		}
	},
	"extra": func(_ int, q question) { sayText(q, "x"); tell("and another line") },
	"extra, then gone": func(_ int, q question) {
		sayText(q, "x")
		tell("and another line")
		os.Exit(0)
	},
	"closes out": func(int, question) { _ = os.Stdout.Close(); time.Sleep(time.Hour) },
	"closes in": func(_ int, q question) {
		_ = os.Stdin.Close()
		sayText(q, "x")
		time.Sleep(time.Hour)
	},
	"no newline": func(_ int, q question) { fmt.Printf(`{"id": %q, "text": "bye"}`, q.ID); os.Exit(0) },
	"error":      func(_ int, q question) { tell(`{"id": %q, "error": "HTTP 503 \u001b[0m"}`, q.ID) },
}
