package adapters_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A subject is what differs between the adapters of providers' protocols.
type subject struct {
	name string
	open func(provider.Config) (eval.Adapter, error)
	// hello is a reply that says "Hello.", leak one with calls and text, in which KEY
	// is replaced by the key, and fault the body of an error, %s for its message.
	hello, leak, fault string
	// key returns the key in a request's headers.
	key func(http.Header) string
	// clean prepares the environment; nil if there is nothing to prepare.
	clean func(testing.TB)
	// golden is the file of upstream's schemas in the provider's style.
	golden string
	// keys names the variables of the key as an error does; "" if none is read. model
	// is a model, and home the provider's address.
	keys, model, home string
	// ended is a reply that says "x", with the reason of its end as %q; said is what is
	// said of reasons, and failed the kind of error where the server gave up.
	ended        string
	said, failed map[string]string
	// kept is a reply with the reasoning "hm" and a call with the id "i", and again a
	// part of the message that repeats it.
	kept, again string
	// odd are replies that are odd in one way: the name, the reply, the result as
	// Python writes it, and the kind of the error instead. A name that begins with
	// "cut off: " says that the answer is.
	odd [][4]string
	// seeds are further replies for the fuzzer.
	seeds []string
}

// secret is a key, inAddress one that may stand in an address.
const secret, inAddress = "planted+0123456789/abcdef", "sk-planted-0123456789abcdef"

func hi(mode eval.Mode, tools ...*pyval.Dict) *eval.Request {
	return &eval.Request{ID: "simple_python_0", Mode: mode, Tools: tools, Messages: []eval.Message{{Role: "user", Content: "Hi."}}}
}

// over opens the adapter over a server. cfg may lack the model, the address, the texts
// and the key.
func (s subject) over(t testing.TB, cfg provider.Config, o transport.Options, reply func(http.ResponseWriter, adaptertest.Seen)) (a *provider.Adapter, used provider.Config, end func()) {
	t.Helper()
	if s.clean != nil {
		s.clean(t)
	}
	cfg.Transport, end = adaptertest.Serve(t, o, reply)
	if cfg.Model == "" {
		cfg.Model = "m"
	}
	if cfg.BaseURL == "" {
		cfg.BaseURL = "http://localhost:8000"
	}
	if cfg.Key == "" {
		cfg.Key = secret
	}
	if cfg.Wording == nil {
		cfg.Wording = adaptertest.Wording(t)
	}
	opened := testkit.Must(s.open(cfg))(t)
	return opened.(*provider.Adapter), cfg, end
}

// saying opens the adapter over a server that always answers the same.
func (s subject) saying(t testing.TB, cfg provider.Config, status int, reply string) *provider.Adapter {
	t.Helper()
	a, _, _ := s.over(t, cfg, transport.Options{}, func(w http.ResponseWriter, _ adaptertest.Seen) { adaptertest.Write(w, status, reply) })
	return a
}

func (s subject) failing(message string) string { return strings.ReplaceAll(s.fault, "%s", message) }

// each runs a test for every subject.
func each(t *testing.T, test func(*testing.T, subject)) {
	for _, s := range subjects {
		t.Run(s.name, func(t *testing.T) { test(t, s) })
	}
}

func named(t testing.TB, name string) subject {
	t.Helper()
	for _, s := range subjects {
		if s.name == name {
			return s
		}
	}
	t.Fatalf("no subject %s", name)
	return subject{}
}

// A closer closes a server together with its adapter.
type closer struct {
	eval.Adapter
	end func()
}

// Close closes both.
func (c closer) Close() error {
	defer c.end()
	return c.Adapter.(io.Closer).Close()
}

func TestConformance(t *testing.T) {
	each(t, func(t *testing.T, s subject) {
		adaptertest.Run(t, func(t *testing.T) eval.Adapter {
			a, _, end := s.over(t, provider.Config{}, transport.Options{}, func(w http.ResponseWriter, seen adaptertest.Seen) {
				if _, err := pyval.ParseJSON(seen.Body); err != nil {
					t.Errorf("the request is not JSON: %v", err)
				}
				adaptertest.Write(w, http.StatusOK, s.hello)
			})
			return closer{a, sync.OnceFunc(end)}
		})
	})
}

// TestStatuses: HTTP errors and broken replies are returned with the right kind and the
// server's own words.
func TestStatuses(t *testing.T) {
	each(t, func(t *testing.T, s subject) {
		for _, c := range []struct {
			status      int
			reply, kind string
			said        string
		}{
			{400, s.failing("Invalid schema for f"), transport.BadRequest, "Invalid schema for f"},
			{401, s.failing("no such key"), transport.Unauthorized, "no such key"},
			{404, s.failing("no such model"), transport.ModelNotFound, "no such model"},
			{429, s.failing("slow down"), transport.RateLimited, "slow down"},
			{500, s.failing("boom"), transport.ServerError, "boom"},
			{503, s.failing("overloaded"), transport.ServerError, "overloaded"},
			{200, `{"x": `, transport.NotJSON, ""},
			{200, `<html>Bad gateway</html>`, transport.NotJSON, ""},
			{200, ``, transport.NotJSON, ""},
			{200, `[1]`, "bad_reply", ""},
			{200, `[{"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}]`, transport.ServerError, "overloaded"},
			{200, `[{"error": {"code": 400, "message": "bad schema", "status": "INVALID_ARGUMENT"}}]`, transport.BadRequest, "bad schema"},
			{200, `"hello"`, "bad_reply", ""},
		} {
			var n atomic.Int64
			a, _, _ := s.over(t, provider.Config{}, transport.Options{MaxElapsed: time.Nanosecond}, func(w http.ResponseWriter, _ adaptertest.Seen) {
				if n.Add(1) == 1 { // the endpoint exists
					adaptertest.Write(w, http.StatusOK, s.hello)
					return
				}
				adaptertest.Write(w, c.status, c.reply)
			})
			resp := testkit.Must(a.Generate(t.Context(), hi(eval.FC)))(t)
			require.Equal(t, pyval.Str("Hello."), resp.Result)
			resp, err := a.Generate(t.Context(), hi(eval.FC))
			require.Error(t, err, c.reply)
			assert.Nil(t, resp)
			assert.Equal(t, c.kind, eval.InfraKind(err), "%d %s: %v", c.status, c.reply, err)
			assert.Equal(t, int64(2), n.Load(), "asked again")
			assert.ErrorContains(t, err, c.said)
		}
	})
}

// TestRetried: temporary faults do not reach the case.
func TestRetried(t *testing.T) {
	each(t, func(t *testing.T, s subject) {
		var n atomic.Int64
		a, _, _ := s.over(t, provider.Config{}, transport.Options{MaxTries: 5}, func(w http.ResponseWriter, seen adaptertest.Seen) {
			assert.Contains(t, seen.Body, `"Hi."`)
			switch n.Add(1) {
			case 1:
				w.Header().Set("Retry-After", "0")
				adaptertest.Write(w, http.StatusTooManyRequests, s.failing("slow down"))
			case 2:
				adaptertest.Write(w, http.StatusInternalServerError, s.failing("boom"))
			case 3:
				adaptertest.Write(w, http.StatusOK, `{"error": {"code": 502, "message": "upstream"}}`)
			case 4:
				w.Header().Set("Content-Length", "100000")
				adaptertest.Write(w, http.StatusOK, s.hello)
			default:
				adaptertest.Write(w, http.StatusOK, s.hello)
			}
		})
		resp := testkit.Must(a.Generate(t.Context(), hi(eval.FC)))(t)
		assert.Equal(t, pyval.Str("Hello."), resp.Result)
		assert.Positive(t, resp.Latency)
		assert.Equal(t, int64(5), n.Load())
	})
}

func TestTimeout(t *testing.T) {
	each(t, func(t *testing.T, s subject) {
		release := make(chan struct{})
		a, _, _ := s.over(t, provider.Config{}, transport.Options{Timeout: 20 * time.Millisecond}, func(http.ResponseWriter, adaptertest.Seen) { <-release })
		defer close(release)
		_, err := a.Generate(t.Context(), hi(eval.FC))
		require.Error(t, err)
		assert.Equal(t, transport.Timeout, eval.InfraKind(err), "%v", err)
	})
}

// TestRedirect: a redirect does not take the key elsewhere.
func TestRedirect(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the redirect was followed with %v", r.Header)
	}))
	defer other.Close()
	each(t, func(t *testing.T, s subject) {
		a, _, _ := s.over(t, provider.Config{}, transport.Options{}, func(w http.ResponseWriter, _ adaptertest.Seen) {
			w.Header().Set("Location", other.URL)
			w.WriteHeader(http.StatusTemporaryRedirect)
		})
		_, err := a.Generate(t.Context(), hi(eval.FC))
		require.Error(t, err)
		assert.Equal(t, transport.BadRequest, eval.InfraKind(err), "%v", err)
	})
}

// TestNoKeyInOutputs lets a server send the keys back in every way, and searches
// everything that comes out for them.
func TestNoKeyInOutputs(t *testing.T) {
	each(t, func(t *testing.T, s subject) {
		for _, c := range []struct {
			status int
			reply  string
		}{
			{200, s.leak}, {200, `{"error": {"message": "bad key KEY", "code": "KEY"}}`}, {200, `{"KEY": "KEY"}`}, {200, `KEY`}, {200, `["KEY"]`},
			{400, s.failing("bad key KEY, header HEADER, address ADDRESS")}, {401, s.failing("bad key KEY")}, {500, `<html>KEY</html>`},
		} {
			reply := strings.NewReplacer("KEY", secret, "HEADER", secret+"-in-header", "ADDRESS", inAddress).Replace(c.reply)
			cfg := provider.Config{Headers: http.Header{"X-Auth-Token": {secret + "-in-header"}}, BaseURL: "http://user:" + inAddress + "@localhost:8000/v1?api_key=" + inAddress}
			var sent http.Header
			a, used, _ := s.over(t, cfg, transport.Options{}, func(w http.ResponseWriter, seen adaptertest.Seen) {
				sent = seen.Header
				adaptertest.Write(w, c.status, reply)
			})
			resp, err := a.Generate(t.Context(), hi(eval.FC))
			require.Equal(t, secret, s.key(sent))
			require.Equal(t, secret+"-in-header", sent.Get("X-Auth-Token"))
			var texts []string
			if resp != nil {
				texts = append(texts, pyval.Repr(resp.Result))
			}
			for _, v := range []any{a, *a, struct{ a provider.Adapter }{*a}, a.Endpoint, a.Config, used, &used, []provider.Config{used}, struct{ C provider.Config }{used}} {
				texts = append(texts, adaptertest.Print(v)...)
			}
			adaptertest.FindSecret(t, secret, texts, err)
			adaptertest.FindSecret(t, inAddress, texts, err)
		}
	})
}

// TestKeys: a key is taken from the last of the variables, that one and a model must be
// named, and that the adapter's name has no key.
func TestKeys(t *testing.T) {
	each(t, func(t *testing.T, s subject) {
		if s.keys == "" { // the key is the catalogue's to read, and the adapter opens without one
			t.Setenv("AWS_ACCESS_KEY_ID", "k")
			t.Setenv("AWS_SECRET_ACCESS_KEY", "k")
			assert.NoError(t, testkit.Err(s.open(provider.Config{Model: "m"})))
			assert.ErrorContains(t, testkit.Err(s.open(provider.Config{Key: "k"})), "no model")
			return
		}
		variables := strings.Split(s.keys, " or ")
		for _, variable := range variables {
			t.Setenv(variable, "")
		}
		assert.ErrorContains(t, testkit.Err(s.open(provider.Config{Model: s.model})), s.keys)
		assert.ErrorContains(t, testkit.Err(s.open(provider.Config{Key: "k"})), "no model")
		for i, variable := range variables { // each is read where the ones before are empty
			t.Setenv(variable, secret)
			a := testkit.Must(s.open(provider.Config{Model: s.model}))(t)
			adaptertest.FindSecret(t, secret, adaptertest.Print(a), nil)
			assert.Equal(t, fmt.Sprintf("%s %q at %s", s.name, s.model, s.home), fmt.Sprint(a))
			t.Setenv(variables[i], "")
		}
	})
}

// TestDocuments: tool schemas reach the wire unchanged, and those that cannot be sent
// are refused.
func TestDocuments(t *testing.T) {
	each(t, func(t *testing.T, s subject) {
		var sent string
		reply := func(w http.ResponseWriter, seen adaptertest.Seen) {
			sent = seen.Body
			adaptertest.Write(w, http.StatusOK, s.hello)
		}
		a, used, _ := s.over(t, provider.Config{}, transport.Options{}, reply)
		doc := adaptertest.Doc(t, `{"name": "a.b", "description": "<d>", "parameters": {"type": "dict", "properties": {
			"z": {"type": "tuple", "description": "how far", "items": {"type": "float", "enum": [5.0, 5, 1e3]}}, "a": {"type": "integer", "description": "x"}}}}`)
		testkit.Must(a.Generate(t.Context(), hi(eval.FC, doc)))(t)
		assert.Contains(t, sent, `"name":"a_b"`)
		assert.Contains(t, sent, `"properties":{"z":{"type":"array","description":"how far`)
		assert.Contains(t, sent, `"items":{"type":"number","enum":[5.0,5,1000.0]`)
		assert.Less(t, strings.Index(sent, `"z":`), strings.Index(sent, `"a":`))

		testkit.Must(a.Generate(t.Context(), hi(eval.Prompt, doc)))(t)
		assert.NotContains(t, sent, "a_b")

		_, err := a.Generate(t.Context(), hi(eval.FC, adaptertest.Doc(t, `{"name": "f"}`)))
		assert.Equal(t, "tool_schema", eval.InfraKind(err))
		endless := adaptertest.Doc(t, `{"name": "f", "parameters": {"type": "dict", "properties": {"a": {"type": "integer", "description": "x", "enum": [1e999]}}}}`)
		if _, err = a.Generate(t.Context(), hi(eval.FC, endless)); err != nil { // some providers' schemas have such values as texts
			assert.Equal(t, "request", eval.InfraKind(err), "%v", err)
		}
		assert.True(t, json.Valid([]byte(sent)))
		used.Wording = nil
		mute := testkit.Must(s.open(used))(t)
		_, err = mute.Generate(t.Context(), hi(eval.FC, doc))
		assert.Equal(t, "config", eval.InfraKind(err))
	})
}

// TestReplies reads replies that are odd in one way.
func TestReplies(t *testing.T) {
	each(t, func(t *testing.T, s subject) {
		for _, c := range s.odd {
			name, reply, want, kind := c[0], c[1], c[2], c[3]
			t.Run(name, func(t *testing.T) {
				resp, err := s.saying(t, provider.Config{}, http.StatusOK, reply).Generate(t.Context(), hi(eval.FC))
				if kind != "" {
					require.Error(t, err)
					assert.Equal(t, kind, eval.InfraKind(err), "%v", err)
					return
				}
				require.NoError(t, err)
				assert.Equal(t, want, pyval.Repr(resp.Result))
				assert.Equal(t, strings.HasPrefix(name, "cut off: "), resp.CutOff)
				assert.True(t, resp.InputTokens >= 0 && resp.OutputTokens >= 0)
			})
		}
	})
}

// TestFinishReasons: what is odd about the end of an answer is said, and what a server
// gave up on is none.
func TestFinishReasons(t *testing.T) {
	each(t, func(t *testing.T, s subject) {
		read := func(reason string) (*provider.Said, error) {
			return s.saying(t, provider.Config{}, http.StatusOK, "").Read(adaptertest.Doc(t, fmt.Sprintf(s.ended, reason)))
		}
		for reason, want := range s.said {
			r, err := read(reason)
			require.NoError(t, err, reason)
			assert.Equal(t, want, r.Finish, reason)
		}
		for reason, kind := range s.failed {
			_, err := read(reason)
			assert.Equal(t, kind, eval.InfraKind(err), reason)
		}
	})
}

// TestKept: an answer keeps its reasoning, its calls' ids, and what the next request
// repeats.
func TestKept(t *testing.T) {
	each(t, func(t *testing.T, s subject) {
		r := testkit.Must(s.saying(t, provider.Config{}, http.StatusOK, "").Read(adaptertest.Doc(t, s.kept)))(t)
		assert.Equal(t, "hm", strings.TrimSpace(r.Reasoning))
		m := r.Message()
		require.NotEmpty(t, m.Calls)
		assert.Equal(t, "i", m.Calls[0].ID)
		assert.Contains(t, pyval.Repr(m.Raw), s.again)
	})
}

// TestGoldenTools: upstream's tool schemas reach the wire byte for byte.
func TestGoldenTools(t *testing.T) {
	texts := testkit.Shared(t, "bfcl", "v4", "prompts.json")
	docs := testkit.GoldenFile(t, "tools", "docs.jsonl")
	wording := testkit.Must(tool.Load([]byte(fileText(t, texts))))(t)
	bySource := map[string]*pyval.Dict{}
	testkit.Rows(t, docs, func(_ int, row *pyval.Dict) {
		doc := provider.Get(row, "doc")
		if out := provider.Items(provider.Get(row, "hinted"), "out"); len(out) > 0 { // upstream can add hints to it
			doc = out[0]
		}
		bySource[provider.Text(row, "source")] = doc.(*pyval.Dict)
	})
	each(t, func(t *testing.T, s subject) {
		var sent string
		a, _, _ := s.over(t, provider.Config{Wording: wording}, transport.Options{}, func(w http.ResponseWriter, seen adaptertest.Seen) {
			sent = seen.Body
			adaptertest.Write(w, http.StatusOK, s.hello)
		})
		equal, total := 0, 0
		testkit.Rows(t, testkit.GoldenFile(t, "tools", s.golden), func(_ int, row *pyval.Dict) {
			source := provider.Text(row, "source")
			sent = ""
			_, err := a.Generate(t.Context(), hi(eval.FC, bySource[source]))
			total++
			want, ok := provider.Get(provider.Get(row, "result"), "out").(*pyval.List)
			text := ""
			if ok {
				provider.Declare(want.Items)
				text = testkit.Must(pyval.JSON(want, pyval.JSONUnicode|pyval.JSONCompact))(t)
			}
			switch {
			case !ok && eval.InfraKind(err) == "tool_schema", ok && strings.Contains(sent, ":"+text):
				equal++
			default:
				t.Errorf("%s: sent %.1000q, %v, want %.1000q", source, sent, err, pyval.Repr(row))
			}
		})
		t.Logf("tool schemas on the wire: %d of %d rows equal", equal, total)
	})
}

// FuzzReply holds that an adapter makes of any object an answer or an error.
func FuzzReply(f *testing.F) {
	all := make([]*provider.Adapter, len(subjects))
	for i, s := range subjects {
		all[i] = s.saying(f, provider.Config{}, http.StatusOK, "")
		for _, seed := range append([]string{s.hello}, s.seeds...) {
			f.Add(uint8(i), seed)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		v, err := pyval.ParseJSON(text)
		d, ok := v.(*pyval.Dict)
		if err != nil || !ok {
			return
		}
		r, err := all[int(which)%len(all)].Read(d)
		if err != nil {
			return
		}
		if r.Result(eval.FC) == nil || r.Input < 0 || r.Output < 0 {
			t.Fatalf("Read gave %+v", r)
		}
		r.Message()
	})
}

type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// TestTokensAreCharged: a budget of tokens is charged with what the reply states.
func TestTokensAreCharged(t *testing.T) {
	stated := regexp.MustCompile(`(Tokens|_tokens|TokenCount)": [23]\b`)
	each(t, func(t *testing.T, s subject) {
		if s.clean != nil {
			s.clean(t)
		}
		wording := adaptertest.Wording(t)
		synctest.Test(t, func(t *testing.T) {
			text := stated.ReplaceAllString(s.hello, `$1": 6000`)
			base := tripper(func(req *http.Request) (*http.Response, error) { return reply(http.StatusOK, text, req), nil })
			a := testkit.Must(s.open(provider.Config{Model: "m", BaseURL: "http://localhost:8000", Key: secret, Wording: wording, Transport: transport.New(transport.Options{TPM: 6000, Base: base})}))(t)
			begin := time.Now()
			for range 3 { // what exceeds the burst delays the one after the next
				testkit.Must(a.Generate(t.Context(), hi(eval.FC)))(t)
			}
			assert.Greater(t, time.Since(begin), 9*time.Second)
		})
	})
}
