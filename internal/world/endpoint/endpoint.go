// Package endpoint serves the tools of one case over the Model Context Protocol
// and notes the calls that arrive.
//
//	endpoint   one listener for any number of cases' turns and the calls in them
//	world      the tools, and what calls act on: simulated APIs, executed
//	           functions, nothing
//
// Package mcptools below speaks the protocol.
//
// An endpoint can be reached only with its address and its token, which are
// both random. Calls are carried out one after the other, in the order in which
// they arrive.
package endpoint

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Limits bound what one case may do.
type Limits struct {
	// Calls is the most calls of a case; 0 is no limit.
	Calls int
}

// A Call is one call that arrived in a turn.
type Call struct {
	// Name is the tool's name and Arguments the JSON text, as they arrived.
	Name, Arguments string
	// Result is the text that was answered.
	Result string
	// Failed reports whether Result says that the call failed.
	Failed bool
	// Unknown reports whether no tool of that name was shown at the time.
	Unknown bool
	// Joined reports whether the call arrived before the previous one was
	// answered, so that the two were made in parallel.
	Joined bool
	// At is when the call arrived and Took the time until its answer.
	At   time.Time
	Took time.Duration
}

// An Endpoint is where one case's tools are served. It is safe for concurrent
// use.
type Endpoint struct {
	host      *Host
	id, token string
	world     World
	limits    Limits
	server    Server
	// ctx ends with the endpoint.
	ctx  context.Context
	stop context.CancelFunc
	over chan struct{}
	// waiting are the calls that have arrived but are not answered yet.
	waiting atomic.Int64
	watch   func(Call)

	mu      sync.Mutex
	shown   map[string]int // tools by name, with their place in the list
	open    bool           // whether a turn is under way
	calls   []Call         // of the turn
	alone   bool           // whether the next call begins a step of its own
	total   int
	late    int
	clients int
	err     error
}

func newEndpoint(h *Host, id, token string, w World, limits Limits) *Endpoint {
	e := &Endpoint{host: h, id: id, token: token, world: w, limits: limits, shown: map[string]int{}, over: make(chan struct{})}
	e.ctx, e.stop = context.WithCancel(context.Background())
	if h != nil {
		e.server = newServer(e)
	}
	return e
}

// InProcess opens an endpoint for an agent in this program, which makes its
// calls with Call.
func InProcess(w World, limits Limits) *Endpoint {
	e := newEndpoint(nil, rand.Text(), "", w, limits)
	e.Connected()
	return e
}

// A Server speaks the protocol with the clients of an endpoint.
type Server interface {
	http.Handler
	// Show adds a tool to those that clients see, and notifies them.
	Show(t Tool) error
	// Close ends the clients' sessions.
	Close()
}

var newServer func(*Endpoint) Server

// Speak sets what speaks the protocol. Importing package mcptools does; a
// program without agents need not contain it.
func Speak(open func(*Endpoint) Server) { newServer = open }

// Check returns an error if nothing in this program speaks the protocol.
func Check() error {
	if newServer == nil {
		return errors.New("agents get their tools over the Model Context Protocol, which this program does not contain: import github.com/gobfcl/bfcl/full")
	}
	return nil
}

// URL returns the endpoint's address.
func (e *Endpoint) URL() string { return "http://" + e.host.Address() + prefix + e.id }

// Header returns the name and the value of the header that requests must have.
func (e *Endpoint) Header() (name, value string) { return authorization, bearer + e.token }

// ID returns the random part of the address. It reveals nothing about the case.
func (e *Endpoint) ID() string { return e.id }

// Watch sets a function that is called with each call of a turn, in order.
func (e *Endpoint) Watch(watch func(Call)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.watch = watch
}

// Begin opens a turn: calls are carried out from now on.
func (e *Endpoint) Begin() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.open, e.calls, e.alone = true, nil, true
}

// End ends the turn and returns its calls in the order in which they arrived.
// Later calls belong to no turn: they are refused, and counted by Late.
func (e *Endpoint) End() []Call {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.open = false
	return e.calls
}

// Over is closed when more calls have arrived than a case may make.
func (e *Endpoint) Over() <-chan struct{} { return e.over }

// Late returns how many calls arrived when no turn was open.
func (e *Endpoint) Late() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.late
}

// Clients returns how many clients have connected.
func (e *Endpoint) Clients() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.clients
}

// Err returns the infrastructure error that kept a call from being carried out;
// nil if there was none.
func (e *Endpoint) Err() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.err
}

// Close ends the endpoint, with its clients' sessions.
func (e *Endpoint) Close() {
	e.stop()
	e.End()
	if e.host != nil {
		e.host.forget(e.id)
		e.server.Close()
	}
}

// The answers to calls that are not carried out.
const (
	lateText    = "This call came when no turn was open. It was not carried out."
	limitText   = "The limit of calls is reached. This call was not carried out."
	outageText  = "The tool cannot be reached at the moment."
	noArguments = "{}"
)

// Call carries out a call, or says why not.
func (e *Endpoint) Call(ctx context.Context, name, arguments string) (text string, failed bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(e.ctx, cancel)()
	if arguments == "" || arguments == "null" {
		arguments = noArguments
	}
	begin := time.Now()
	joined := e.waiting.Add(1) > 1
	defer e.waiting.Add(-1)
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case !e.open:
		e.late++
		return lateText, true
	case e.limits.Calls > 0 && e.total >= e.limits.Calls:
		select {
		case <-e.over:
		default:
			close(e.over)
		}
		return limitText, true
	case e.err != nil:
		return outageText, true
	}
	answer, err := e.world.Call(ctx, name, arguments)
	if err != nil {
		e.err = err
		return outageText, true
	}
	e.total++
	_, known := e.shown[name]
	c := Call{
		Name: name, Arguments: arguments, Result: answer.Text, Failed: answer.Failed, Unknown: !known,
		Joined: joined && !e.alone && !answer.Unread, At: begin, Took: time.Since(begin),
	}
	e.alone = answer.Unread
	e.calls = append(e.calls, c)
	if e.watch != nil {
		e.watch(c)
	}
	return answer.Text, answer.Failed
}

// Connected counts a client.
func (e *Endpoint) Connected() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.clients++
}

// Place returns a tool's place among those shown.
func (e *Endpoint) Place(name string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.shown[name]
}

// ErrShown is the error of a tool that the protocol cannot express.
var ErrShown = errors.New("the function cannot be shown as a tool")

// Waiting returns how many calls have arrived but are not answered yet.
func (e *Endpoint) Waiting() int64 { return e.waiting.Load() }

const (
	// prefix begins the paths of endpoints.
	prefix = "/mcp/"
	// headerTime is how long a client may take to send a request's header.
	headerTime = 10 * time.Second
)

// A Host is a loopback listener on which endpoints are served. It is safe for
// concurrent use.
type Host struct {
	listener net.Listener
	server   *http.Server
	served   chan struct{}

	mu        sync.Mutex
	endpoints map[string]*Endpoint
	closed    bool
}

// Listen opens a host on loopback, at any free port.
func Listen() (*Host, error) {
	if err := Check(); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	h := &Host{listener: listener, served: make(chan struct{}), endpoints: map[string]*Endpoint{}}
	h.server = &http.Server{Handler: h, ReadHeaderTimeout: headerTime}
	go func() {
		defer close(h.served)
		_ = h.server.Serve(listener) // it ends with Close
	}()
	return h, nil
}

// Loopback reports whether a host's name is this machine's own.
func Loopback(name string) bool {
	ip := net.ParseIP(strings.Trim(name, "[]"))
	return name == "localhost" || ip != nil && ip.IsLoopback()
}

// Address returns where the host listens.
func (h *Host) Address() string { return h.listener.Addr().String() }

// ErrClosed is the error of a host that has been closed.
var ErrClosed = errors.New("the tools are no longer served")

// Open makes an endpoint with its own address and token, on which a world's
// calls can be made. The caller must close it.
func (h *Host) Open(w World, limits Limits) (*Endpoint, error) {
	e := newEndpoint(h, rand.Text(), rand.Text(), w, limits)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, ErrClosed
	}
	h.endpoints[e.id] = e
	return e, nil
}

func (h *Host) forget(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.endpoints, id)
}

// ServeHTTP passes a request to its endpoint. Without the token, the reply does
// not even show whether the endpoint exists.
func (h *Host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, ok := strings.CutPrefix(r.URL.Path, prefix)
	id, below, _ := strings.Cut(path, "/")
	h.mu.Lock()
	e := h.endpoints[id]
	h.mu.Unlock()
	if !ok || e == nil || subtle.ConstantTimeCompare([]byte(r.Header.Get(authorization)), []byte(bearer+e.token)) != 1 {
		http.Error(w, "there is nothing here, or the header "+authorization+" is missing or wrong", http.StatusUnauthorized)
		return
	}
	name, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		name = r.Host
	}
	switch {
	case !Loopback(name): // a web page whose host name was made to resolve to this machine
		http.Error(w, "this is not a host name of this machine", http.StatusForbidden)
	case below == "":
		e.server.ServeHTTP(w, r)
	default:
		http.NotFound(w, r)
	}
}

// Close ends all endpoints and waits for the listener.
func (h *Host) Close() error {
	h.mu.Lock()
	h.closed = true
	open := make([]*Endpoint, 0, len(h.endpoints))
	for _, e := range h.endpoints {
		open = append(open, e)
	}
	h.mu.Unlock()
	for _, e := range open {
		e.Close()
	}
	err := h.server.Close()
	<-h.served
	return err
}

const (
	authorization = "Authorization"
	bearer        = "Bearer "
)
