package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
)

// An engine is a search engine behind an HTTP address. Its errors are
// infrastructure errors: temporary ones are retried a few times, others stop
// the run.
type engine struct {
	name   string
	client *http.Client
	// secret must not be shown; "" is none.
	secret string
	// refusal says what to do if the engine refuses all requests.
	refusal string
	// wait is the first wait between tries.
	wait time.Duration
}

const (
	engineTries   = 4
	engineTimeout = time.Minute
	maxReply      = 10 << 20
)

func newEngine(name, secret, refusal string) engine {
	// A redirect could take the key, which is in the address, elsewhere.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return engine{name: name, secret: secret, refusal: refusal, wait: time.Second, client: &http.Client{Timeout: engineTimeout, CheckRedirect: stay}}
}

// get retries if that may help, and returns the reply's body, whatever JSON it
// is.
func (e *engine) get(ctx context.Context, address string) ([]byte, error) {
	waits := backoff.NewExponentialBackOff()
	waits.InitialInterval = e.wait
	return backoff.Retry(ctx, func() ([]byte, error) { return e.once(ctx, address) },
		backoff.WithBackOff(waits), backoff.WithMaxTries(engineTries))
}

func (e *engine) once(ctx context.Context, address string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, backoff.Permanent(e.infra(transport.Connection, errors.New("the address is not a URL")))
	}
	req.Header.Set("Accept", "application/json")
	resp, err := e.client.Do(req)
	if err != nil {
		return nil, e.connection(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	switch {
	case err != nil:
		return nil, e.connection(ctx, err)
	case len(body) > maxReply:
		return nil, backoff.Permanent(e.infra(transport.TooLarge, fmt.Errorf("the reply is longer than %d MB", maxReply>>20)))
	}
	return e.scrubbed(body), e.refused(resp, body)
}

// refused is the error that a reply's status or text reports.
func (e *engine) refused(resp *http.Response, body []byte) error {
	usedUp := strings.Contains(string(body[:min(len(body), 2000)]), "run out of searches")
	switch code := resp.StatusCode; {
	case usedUp:
		return backoff.Permanent(e.fatal("search_quota", code, "the account has no searches left", "use -resume once it has"))
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return backoff.Permanent(e.fatal(transport.Unauthorized, code, e.name+" refuses the request", e.refusal))
	case code == http.StatusTooManyRequests:
		// The tool itself waits for this, as upstream does.
		return backoff.Permanent(sim.Raise("HTTPError", "429 Too Many Requests"))
	case code >= 500:
		return e.infra(transport.ServerError, fmt.Errorf("HTTP %d", code))
	case code >= 300 && code < 400, code == http.StatusNotFound:
		return backoff.Permanent(e.infra("search", fmt.Errorf("HTTP %d: is the address right?", code)))
	}
	return nil
}

func (e *engine) infra(kind string, err error) error {
	return &eval.InfraError{Kind: kind, Err: fmt.Errorf("%s: %w", e.name, err)}
}

func (e *engine) fatal(kind string, status int, message, hint string) error {
	return &eval.InfraError{Kind: kind, Err: &transport.Error{Kind: kind, Status: status, Message: message, Hint: hint, Fatal: true}}
}

// connection is an error of the network without the address, which may hold a
// key.
func (e *engine) connection(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return backoff.Permanent(ctx.Err())
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	text := err.Error()
	if e.secret != "" {
		text = e.hider().Replace(text)
	}
	s := text
	const most = 300
	s = strconv.Quote(s[:min(len(s), most)])
	return e.infra(transport.Connection, errors.New(s[1:len(s)-1]))
}

func (e *engine) hider() *strings.Replacer {
	return strings.NewReplacer(e.secret, "[key]", url.QueryEscape(e.secret), "[key]")
}

// scrubbed is a reply without the key, in case an engine returns it: replies
// are recorded, and go to the model. A secret that is too short for a key may
// be an ordinary word.
func (e *engine) scrubbed(reply []byte) []byte {
	const shortest = 8
	if len(e.secret) < shortest {
		return reply
	}
	return []byte(e.hider().Replace(string(reply)))
}

// A searx is a SearXNG server of the user's.
type searx struct {
	engine
	address *url.URL
}

func searxAddress(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("-search=%s needs the address of a SearXNG server, such as %shttp://localhost:8080", SearXNG, SearXNG)
	}
	return u, nil
}

func newSearx(address string) (*searx, error) {
	u, err := searxAddress(address)
	if err != nil {
		return nil, err
	}
	if u.Path = strings.TrimSuffix(u.Path, "/"); !strings.HasSuffix(u.Path, "/search") {
		u.Path += "/search"
	}
	secret, _ := u.User.Password()
	return &searx{newEngine("SearXNG", secret, "SearXNG must allow the format json: see search.formats in its settings"), u}, nil
}

// Search asks the server and gives its reply in SerpAPI's form.
func (s *searx) Search(ctx context.Context, q websearch.Query) ([]byte, error) {
	params := s.address.Query()
	params.Set("format", "json")
	params.Set("q", pyval.Text(orNone(q.Keywords)))
	if language := languageOf(q.Region); language != "" {
		params.Set("language", language)
	}
	address := *s.address
	address.RawQuery = params.Encode()
	body, err := s.get(ctx, address.String())
	if err != nil {
		return nil, err
	}
	return asSerp(body), nil
}

func orNone(v pyval.Value) pyval.Value {
	if v == nil {
		return pyval.None
	}
	return v
}

// languageOf turns DuckDuckGo's region us-en into the language en-US.
func languageOf(region pyval.Value) string {
	text, ok := region.(pyval.Str)
	country, language, found := strings.Cut(string(text), "-")
	if !ok || !found || country == "wt" || len(country) != 2 || len(language) != 2 {
		return ""
	}
	return language + "-" + strings.ToUpper(country)
}

// asSerp keeps the parts of a reply that the tool shows. Anything but a list of
// results stays as it is: the tool says what is wrong with it.
func asSerp(body []byte) []byte {
	v, err := pyval.ParseJSON(strings.ToValidUTF8(string(body), "\ufffd"))
	reply, ok := v.(*pyval.Dict)
	if err != nil || !ok {
		return body
	}
	results, _ := reply.GetStr("results")
	list, ok := results.(*pyval.List)
	if !ok {
		return body
	}
	organic := pyval.NewList()
	for _, item := range list.Items {
		found, ok := item.(*pyval.Dict)
		if !ok {
			continue
		}
		row := pyval.NewDict(3)
		for _, field := range [][2]string{{"title", "title"}, {"url", "link"}, {"content", "snippet"}} {
			text, _ := found.GetStr(field[0])
			if text == nil || text == pyval.None {
				text = pyval.Str("")
			}
			row.SetStr(field[1], text)
		}
		organic.Items = append(organic.Items, row)
	}
	out := pyval.Object("organic_results", organic)
	text, err := pyval.JSON(out, 0)
	if err != nil {
		return body
	}
	return []byte(text)
}

const (
	serpKey     = "SERPAPI_API_KEY"
	serpAddress = "https://serpapi.com/search"
)

// A serp is SerpAPI's DuckDuckGo, upstream's search engine.
type serp struct {
	engine
	address, key string
}

func newSerp(key string) *serp {
	return &serp{newEngine("SerpAPI", key, "check "+serpKey), serpAddress, key}
}

// Search asks as upstream's client does.
func (s *serp) Search(ctx context.Context, q websearch.Query) ([]byte, error) {
	return s.get(ctx, s.address+"?"+serpParams(q, s.key).Encode())
}

// serpParams are the parameters of upstream's request, as requests sends them:
// without those that are None, a list once for each element.
func serpParams(q websearch.Query, key string) url.Values {
	params := url.Values{"engine": {"duckduckgo"}, "output": {"json"}, "source": {"python"}}
	setParam(params, "q", q.Keywords)
	setParam(params, "kl", q.Region)
	if key != "" {
		params.Set("api_key", key)
	}
	return params
}

func setParam(params url.Values, name string, v pyval.Value) {
	var items []pyval.Value
	switch v := v.(type) {
	case nil, pyval.NoneType:
		return
	case *pyval.List:
		items = v.Items
	case *pyval.Tuple:
		items = v.Items
	default:
		items = []pyval.Value{v}
	}
	for _, item := range items {
		if item != pyval.None {
			params.Add(name, pyval.Text(item))
		}
	}
}
