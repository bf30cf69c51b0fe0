package report_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A browser is a headless Chromium, led over a pair of pipes by its DevTools
// protocol: JSON messages that end in a zero byte.
type browser struct {
	t       *testing.T
	in      *os.File
	session string

	mu      sync.Mutex
	next    int
	waiting map[int]chan message
	// complaints are errors on the console, exceptions and refusals.
	complaints []string
	gone       chan struct{}
}

type message struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// names under which Chromium is installed.
var names = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}

func findBrowser(t *testing.T) string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("no browser: none of %v is installed", names)
	return ""
}

// started is the browser of all tests, each of which has a page of its own; end
// ends it.
var started, end = (*browser)(nil), func() {}

// ending ends it after the tests.
type ending struct{ *testing.M }

func (e ending) Run() int {
	defer func() { end() }()
	return e.M.Run()
}

// startBrowser opens a page of a browser that shares nothing with those before.
func startBrowser(t *testing.T) *browser {
	path := findBrowser(t)
	if testing.Short() {
		t.Skip("a browser takes seconds to start")
	}
	if started == nil {
		launch(t, path)
	}
	b := started
	b.t, b.session, b.complaints = t, "", nil
	var context struct{ BrowserContextID string }
	b.do(&context, "Target.createBrowserContext", nil)
	t.Cleanup(func() {
		b.session = ""
		_, _ = b.call("Target.disposeBrowserContext", map[string]any{"browserContextId": context.BrowserContextID})
	})
	b.attach(context.BrowserContextID)
	return b
}

func launch(t *testing.T, path string) {
	theirIn, in, err := os.Pipe()
	require.NoError(t, err)
	out, theirOut, err := os.Pipe()
	require.NoError(t, err)
	dir := testkit.Must(os.MkdirTemp("", "browser"))(t)
	cmd := exec.Command(path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--hide-scrollbars", "--user-data-dir="+dir, "--remote-debugging-pipe", "about:blank")
	cmd.ExtraFiles = []*os.File{theirIn, theirOut} // descriptors 3 and 4
	require.NoError(t, cmd.Start())
	_, _ = theirIn.Close(), theirOut.Close()
	b := &browser{in: in, waiting: map[int]chan message{}, gone: make(chan struct{})}
	go b.listen(out)
	started, end = b, func() {
		_, _ = b.call("Browser.close", nil)
		_ = in.Close()
		killer := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		killer.Stop()
		<-b.gone
		_ = out.Close()
		_ = os.RemoveAll(dir)
	}
}

// listen hands answers to those who wait, and keeps complaints.
func (b *browser) listen(out *os.File) {
	defer close(b.gone)
	in := bufio.NewReader(out)
	for {
		text, err := in.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(text[:len(text)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		if ch := b.waiting[m.ID]; ch != nil && m.ID > 0 {
			ch <- m
			delete(b.waiting, m.ID)
		}
		if complains(m) {
			b.complaints = append(b.complaints, fmt.Sprintf("%s %.500s", m.Method, m.Params))
		}
		b.mu.Unlock()
	}
}

func complains(m message) bool {
	var p struct {
		Type  string
		Entry struct{ Level string }
	}
	_ = json.Unmarshal(m.Params, &p)
	switch m.Method {
	case "Runtime.exceptionThrown", "Network.requestWillBeSentExtraInfo":
		return true
	case "Runtime.consoleAPICalled":
		return p.Type == "error" || p.Type == "warning"
	case "Log.entryAdded":
		return p.Entry.Level == "error" || p.Entry.Level == "warning"
	}
	return false
}

var errGone = errors.New("the browser has gone")

func (b *browser) call(method string, params any) (json.RawMessage, error) {
	ch := make(chan message, 1)
	b.mu.Lock()
	b.next++
	id := b.next
	b.waiting[id] = ch
	b.mu.Unlock()
	request := map[string]any{"id": id, "method": method}
	if params != nil {
		request["params"] = params
	}
	if b.session != "" && method != "Browser.close" {
		request["sessionId"] = b.session
	}
	text, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	if _, err := b.in.Write(append(text, 0)); err != nil {
		return nil, err
	}
	select {
	case m := <-ch:
		if m.Error != nil {
			return nil, fmt.Errorf("%s: %s", method, m.Error.Message)
		}
		return m.Result, nil
	case <-b.gone:
		return nil, errGone
	case <-time.After(time.Minute):
		return nil, fmt.Errorf("%s: no answer", method)
	}
}

// do calls and fills in what comes back.
func (b *browser) do(to any, method string, params any) {
	b.t.Helper()
	result := testkit.Must(b.call(method, params))(b.t)
	if to != nil {
		require.NoError(b.t, json.Unmarshal(result, to))
	}
}

// attach opens a page and turns on what complains.
func (b *browser) attach(context string) {
	b.t.Helper()
	var target struct{ TargetID string }
	b.do(&target, "Target.createTarget", map[string]any{"url": "about:blank", "browserContextId": context})
	var session struct{ SessionID string }
	b.do(&session, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true})
	b.session = session.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		b.do(nil, domain+".enable", nil)
	}
}

// open loads a page from a file and waits until its script is ready.
func (b *browser) open(path string) {
	b.t.Helper()
	b.do(nil, "Page.navigate", map[string]any{"url": "file://" + path})
	b.until(`document.documentElement.dataset.ready === '1'`)
}

// size is that of the window; dark asks for a dark page.
func (b *browser) size(width, height int, dark bool) {
	b.t.Helper()
	b.do(nil, "Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	b.do(nil, "Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}})
}

// ask is the value of an expression, which may be a promise.
func ask[T any](b *browser, expression string) T {
	b.t.Helper()
	var reply struct {
		Result           struct{ Value T }
		ExceptionDetails json.RawMessage
	}
	b.do(&reply, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true})
	require.Empty(b.t, string(reply.ExceptionDetails), expression)
	return reply.Result.Value
}

// until waits for an expression to become true.
func (b *browser) until(expression string) {
	b.t.Helper()
	for range 400 {
		result, err := b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true})
		if err == nil && json.Valid(result) {
			var reply struct{ Result struct{ Value any } }
			if json.Unmarshal(result, &reply) == nil && reply.Result.Value == true {
				return
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.t.Fatalf("never true: %s\n%s", expression, b.complaints)
}

// shoot keeps a picture in $BFCL_SCREENSHOTS, if that is set.
func (b *browser) shoot(name string) {
	b.t.Helper()
	b.capture(name, map[string]any{"format": "png"})
}

// part keeps a picture of an element, at most as high as a screen and a half.
func (b *browser) part(name, selector string) {
	b.t.Helper()
	rect := ask[map[string]any](b, `(() => { const r = document.querySelector('`+selector+`').getBoundingClientRect(); return {x: r.x + scrollX, y: r.y + scrollY, width: r.width, height: Math.min(r.height, 1350), scale: 1}; })()`)
	b.capture(name, map[string]any{"format": "png", "captureBeyondViewport": true, "clip": rect})
}

func (b *browser) capture(name string, how map[string]any) {
	b.t.Helper()
	dir := os.Getenv("BFCL_SCREENSHOTS")
	if dir == "" {
		return
	}
	var reply struct{ Data string }
	b.do(&reply, "Page.captureScreenshot", how)
	data := testkit.Must(base64.StdEncoding.DecodeString(reply.Data))(b.t)
	require.NoError(b.t, os.MkdirAll(dir, 0o755))
	require.NoError(b.t, os.WriteFile(filepath.Join(dir, name+".png"), smaller(b.t, data), 0o644))
}

// smaller writes a picture in the colours that it has most of.
func smaller(t *testing.T, data []byte) []byte {
	t.Helper()
	from := testkit.Must(png.Decode(bytes.NewReader(data)))(t)
	count := map[color.Color]int{}
	at := from.Bounds()
	for y := range at.Dy() {
		for x := range at.Dx() {
			count[from.At(x, y)]++
		}
	}
	colours := slices.SortedFunc(maps.Keys(count), func(a, b color.Color) int { return count[b] - count[a] })
	to := image.NewPaletted(at, color.Palette(colours[:min(128, len(colours))]))
	draw.Draw(to, at, from, at.Min, draw.Src)
	var b bytes.Buffer
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, to))
	return b.Bytes()
}

// quiet checks that nothing was complained of.
func (b *browser) quiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Empty(b.t, b.complaints)
}
