package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/child"
	"github.com/gobfcl/bfcl/internal/say"
)

// Port is where a server that is started for a run listens. It is always the
// same, because a run's address is one of its settings.
const Port = "18080"

// presets are start lines by name. Parser is replaced by the tool parser of the
// model's family.
var presets = map[string]string{
	"vllm":         "vllm serve {model} --host 127.0.0.1 --port {port} --enable-auto-tool-choice --tool-call-parser {parser}",
	"sglang":       "python3 -m sglang.launch_server --model-path {model} --host 127.0.0.1 --port {port} --tool-call-parser {parser}",
	"llama-server": "llama-server -hf {model} --host 127.0.0.1 --port {port} --jinja -c 65536 -np 2",
	"ollama":       "OLLAMA_HOST=127.0.0.1:{port} OLLAMA_CONTEXT_LENGTH=32768 ollama serve",
}

// parsers are the servers' names for the tool parsers of dialects, as their
// documentation has them.
var parsers = map[string]map[string]string{
	"vllm": {
		"tool-call": "hermes", "function": "qwen3_coder", "harmony": "openai", "glm-4.5": "glm45", "kimi-k2": "kimi_k2",
		"deepseek-v3.1": "deepseek_v31", "deepseek-v3.2": "deepseek_v32", "mistral-v11": "mistral", "json": "llama3_json",
		"minimax-m2": "minimax_m2", "seed": "seed_oss", "phi-fc": "phi4_mini_json", "granite-3": "granite",
	},
	"sglang": {
		"tool-call": "qwen", "function": "qwen3_coder", "harmony": "gpt-oss", "glm-4.5": "glm", "kimi-k2": "kimi_k2",
		"deepseek-v3.1": "deepseekv31", "deepseek-v3.2": "deepseekv32", "mistral-v11": "mistral", "json": "llama3",
	},
}

// StartLine returns the command that starts a server of a model: a preset's, or
// the one given. The dialect is that of the model's family, "" if it is not
// known.
func StartLine(given, model, dialect string) (string, error) {
	line, known := presets[given]
	if !known {
		line = given
	}
	if strings.Contains(line, "{parser}") {
		parser := parsers[given][dialect]
		if parser == "" {
			return "", fmt.Errorf("-start=%s: it is not known which tool parser of %s reads %s: write the start line out, such as -start='%s'",
				given, given, say.Quote(model, 100), strings.ReplaceAll(line, "{parser}", "NAME"))
		}
		line = strings.ReplaceAll(line, "{parser}", parser)
	}
	return strings.NewReplacer("{model}", word(model), "{port}", Port).Replace(line), nil
}

// word quotes a model's name for the shell.
func word(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// A Launched is a server that was started for a run.
type Launched struct {
	cmd   *exec.Cmd
	log   *os.File
	ended chan struct{}
	err   error
}

// Launch starts a server by a line for the shell. What it prints goes to the
// log.
func Launch(line, log string) (*Launched, error) {
	if conn, err := net.DialTimeout("tcp", "127.0.0.1:"+Port, time.Second); err == nil {
		_ = conn.Close()
		return nil, fmt.Errorf("-start: something listens on port %s already: end it, or ask it with -base-url=http://127.0.0.1:%s/v1", Port, Port)
	}
	out, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	l := &Launched{cmd: exec.Command("sh", "-c", line), log: out, ended: make(chan struct{})}
	l.cmd.Stdout, l.cmd.Stderr = out, out
	child.Own(l.cmd)
	if err := l.cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("-start: %w", err), out.Close())
	}
	go func() {
		l.err = l.cmd.Wait()
		close(l.ended)
	}()
	return l, nil
}

// Ready waits until the server lists its models, or has ended.
func (l *Launched) Ready(ctx context.Context, wait time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		if lists(ctx) {
			return nil
		}
		select {
		case <-l.ended:
			return fmt.Errorf("-start: the server ended before it was ready (%w); the end of what it printed:\n%s", errors.Join(l.err, errEnded), l.tail())
		case <-ctx.Done():
			return fmt.Errorf("-start: the server was not ready after %s (-server-wait); the end of what it printed:\n%s", wait, l.tail())
		case <-time.After(time.Second):
		}
	}
}

var errEnded = errors.New("it must stay in the foreground")

func lists(ctx context.Context) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1:"+Port+"/v1/models", nil)
	if err != nil {
		return false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20))
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// tail returns the last lines of the log, safe to print.
func (l *Launched) tail() string {
	const most, lines = 4 << 10, 12
	text, err := os.ReadFile(l.log.Name())
	if err != nil {
		return err.Error()
	}
	text = bytes.TrimRight(text[max(0, len(text)-most):], "\n")
	all := strings.Split(string(text), "\n")
	for i := range all {
		all[i] = "  " + say.Plain(all[i], 200)
	}
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}

// Close ends the server and everything that it started.
func (l *Launched) Close() error {
	const grace = 5 * time.Second
	child.Interrupt(l.cmd)
	select {
	case <-l.ended:
	case <-time.After(grace):
	}
	child.Kill(l.cmd)
	<-l.ended
	return l.log.Close()
}
