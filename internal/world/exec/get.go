package exec

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/python/signature"
)

// getKeywords are the keywords that requests.get takes besides url and params.
var getKeywords = []string{
	"data", "headers", "cookies", "files", "auth", "timeout", "allow_redirects",
	"proxies", "hooks", "stream", "verify", "cert", "json",
}

// restRequest is the request that a call of requests.get sends. For many calls
// Python's client raises an exception before it sends anything; these are
// returned, with their texts.
func (m *machine) restRequest(call string) (Request, error) {
	call = strings.ReplaceAll(call, "requests_get", "requests.get")
	if len(call) > maxText {
		return Request{}, pyval.Raise("MemoryError", "the text of the call is too long")
	}
	call = strings.TrimLeft(call, " \t")
	e, err := pycall.Expression(call)
	if err != nil {
		return Request{}, syntaxError(call, 1, err)
	}
	if name := repeatedKeyword(e); name != "" {
		return Request{}, pyval.Raise("SyntaxError", "keyword argument repeated: %s (<string>, line 1)", name)
	}
	if !isGet(e) {
		return Request{}, m.otherThanGet(e)
	}
	args, err := m.arguments(e, &scope{})
	if err != nil {
		return Request{}, err
	}
	g, err := newGetter(args)
	if err != nil {
		return Request{}, err
	}
	return g.request()
}

func isGet(e *pycall.Expr) bool {
	if e.Kind != pycall.ExprCall || e.Parts[0].Kind != pycall.ExprAttribute || e.Parts[0].Text != "get" {
		return false
	}
	owner := e.Parts[0].Parts[0]
	return owner.Kind == pycall.ExprName && owner.Text == "requests"
}

// otherThanGet is the exception of a text that is not a call of requests.get.
func (m *machine) otherThanGet(e *pycall.Expr) error {
	if _, err := m.eval(e, &scope{}); err != nil {
		return err
	}
	return pyval.Raise("NotImplementedError", "the text is not a call of requests.get")
}

// A getter holds the arguments of one call of requests.get.
type getter struct {
	args map[string]pyval.Value
}

// newGetter binds arguments as get, request and Session.request do in turn.
func newGetter(args []pycall.Arg) (*getter, error) {
	g := &getter{args: map[string]pyval.Value{}}
	var named, rest []pycall.Arg
	own := []Param{{Name: "url"}, {Name: "params", Default: pyval.None}}
	for _, a := range args {
		if a.Name == "" || signature.Index(own, a.Name) >= 0 {
			named = append(named, a)
		} else {
			rest = append(rest, a)
		}
	}
	bound, err := signature.Bind(nil, signature.Callee{Name: "get"}, own, named)
	if err != nil {
		return nil, err
	}
	g.args["url"], g.args["params"] = bound[0], bound[1]
	for _, kw := range rest {
		switch {
		case kw.Name == "method":
			return nil, typeError("request() got multiple values for argument 'method'")
		case !slices.Contains(getKeywords, kw.Name):
			return nil, typeError("Session.request() got an unexpected keyword argument '%s'", kw.Name)
		}
		g.args[kw.Name] = kw.Value
	}
	return g, nil
}

func (g *getter) arg(name string) pyval.Value {
	if v, ok := g.args[name]; ok {
		return v
	}
	return pyval.None
}

// request prepares the request in the order in which Python's client does, so
// that of several faults the first one counts.
func (g *getter) request() (Request, error) {
	req := Request{Method: "GET", Header: map[string]string{}}
	steps := []func(*Request) error{
		g.checkHooks, g.prepareCookies, g.prepareURL, g.prepareHeaders, g.prepareBody, g.prepareAuth,
		g.checkProxies, g.checkAdapter, g.checkTLS, g.checkTimeout,
	}
	for _, step := range steps {
		if err := step(&req); err != nil {
			return Request{}, err
		}
	}
	if v, ok := g.args["allow_redirects"]; ok {
		req.KeepRedirect = !pyval.Truth(v)
	}
	return req, nil
}

func (g *getter) checkHooks(*Request) error {
	hooks := g.arg("hooks")
	if hooks.Kind() == pyval.KindNone {
		return nil
	}
	d, ok := hooks.(*pyval.Dict)
	if !ok {
		return noAttribute(hooks, "items")
	}
	for event := range d.All() {
		if pyval.Text(event) != "response" {
			return pyval.Raise("ValueError", "Unsupported event specified, with event name %q", pyval.Text(event))
		}
	}
	return nil
}

func noAttribute(v pyval.Value, name string) error {
	return pyval.Raise("AttributeError", "'%s' object has no attribute '%s'", pyval.TypeName(v), name)
}

// prepareCookies makes the Cookie header; the client looks every name up in
// what it was given, which only a dict allows.
func (g *getter) prepareCookies(req *Request) error {
	cookies := g.arg("cookies")
	if !pyval.Truth(cookies) {
		return nil
	}
	names, err := pyval.Iterate(cookies)
	if err != nil {
		return err
	}
	var pairs []string
	for _, name := range names {
		value, err := pyval.Subscript(cookies, name)
		if err != nil {
			return err
		}
		switch value.Kind() {
		case pyval.KindNone:
			pairs = append(pairs, pyval.Text(name))
		case pyval.KindStr:
			pairs = append(pairs, pyval.Text(name)+"="+pyval.Text(value))
		default:
			return noAttribute(value, "startswith")
		}
	}
	if len(pairs) > 0 {
		req.Header["Cookie"] = strings.Join(pairs, "; ")
	}
	return nil
}

func (g *getter) prepareURL(req *Request) error {
	var err error
	req.URL, err = prepareURL(rawText(g.args["url"]), g.query)
	return err
}

// query encodes params: a text, a dict, a list of pairs or, behind another
// query, a number.
func (g *getter) query(behind bool) (string, error) {
	switch params := g.arg("params").(type) {
	case pyval.NoneType:
		return "", nil
	case pyval.Str:
		return string(params), nil
	case pyval.Bytes:
		return string(params), nil
	case *pyval.Dict:
		return encodeQuery(params)
	default:
		items, err := pyval.Iterate(params)
		switch {
		case err == nil:
			return encodePairs(items)
		case !pyval.Truth(params):
			return "", nil
		case behind:
			return pyval.Text(params), nil
		}
		return "", typeError("Cannot mix str and non-str arguments")
	}
}

func encodePairs(items []pyval.Value) (string, error) {
	var out []string
	for _, item := range items {
		pair, err := pyval.Iterate(item)
		switch {
		case err != nil:
			return "", typeError("cannot unpack non-iterable %s object", pyval.TypeName(item))
		case len(pair) < 2:
			return "", pyval.Raise("ValueError", "not enough values to unpack (expected 2, got %d)", len(pair))
		case len(pair) > 2:
			return "", pyval.Raise("ValueError", "too many values to unpack (expected 2)")
		}
		text, err := encodeParam(pair[0], pair[1])
		if err != nil {
			return "", err
		}
		out = append(out, text...)
	}
	return strings.Join(out, "&"), nil
}

func (g *getter) prepareHeaders(req *Request) error {
	headers := g.arg("headers")
	if !pyval.Truth(headers) {
		return nil
	}
	d, ok := headers.(*pyval.Dict)
	if !ok {
		return noAttribute(headers, "items")
	}
	for name, value := range d.All() {
		if name.Kind() != pyval.KindStr && name.Kind() != pyval.KindBytes {
			return noAttribute(name, "lower") // the client's dict of headers lowers names
		}
		if value.Kind() == pyval.KindNone {
			continue
		}
		if err := checkHeader(name, value); err != nil {
			return err
		}
		setHeader(req.Header, rawText(name), rawText(value))
	}
	return nil
}

// setHeader replaces a header whatever the case of its name.
func setHeader(headers map[string]string, name, value string) {
	for old := range headers {
		if strings.EqualFold(old, name) {
			delete(headers, old)
		}
	}
	headers[name] = value
}

func checkHeader(name, value pyval.Value) error {
	switch value.Kind() {
	case pyval.KindStr, pyval.KindBytes:
	default:
		return pyval.Raise("InvalidHeader", "Header part (%s) from (%s, %[1]s) must be of type str or bytes, not <class '%[3]s'>",
			pyval.Repr(value), pyval.Repr(name), pyval.TypeName(value))
	}
	if text := rawText(name); text == "" || strings.ContainsAny(text, ":\r\n") || startsBlank(text) {
		return invalidHeader("name", name)
	}
	if text := rawText(value); strings.ContainsAny(text, "\r\n") || startsBlank(text) {
		return invalidHeader("value", value)
	}
	return nil
}

func startsBlank(s string) bool { return s != "" && pyval.Strip(s[:1]) == "" }

func invalidHeader(part string, v pyval.Value) error {
	return pyval.Raise("InvalidHeader", "Invalid leading whitespace, reserved character(s), or return character(s) in header %s: %s", part, pyval.Repr(v))
}

// prepareBody keeps data and json as far as a GET request needs them.
func (g *getter) prepareBody(req *Request) error {
	data, object := g.arg("data"), g.arg("json")
	switch {
	case pyval.Truth(data):
		return g.formBody(req, data)
	case object.Kind() != pyval.KindNone:
		text, err := pyval.JSON(object, 0)
		if err != nil {
			return typeError("%v", err)
		}
		req.Body = text
		if !hasHeader(req.Header, "Content-Type") {
			req.Header["Content-Type"] = "application/json"
		}
	}
	return nil
}

func (g *getter) formBody(req *Request, data pyval.Value) error {
	switch data := data.(type) {
	case pyval.Str, pyval.Bytes:
		req.Body = rawText(data)
		return nil
	case *pyval.Dict:
		text, err := encodeQuery(data)
		if err != nil {
			return err
		}
		req.Body = text
	default:
		items, err := pyval.Iterate(data)
		if err != nil {
			return nil
		}
		if req.Body, err = encodePairs(items); err != nil {
			return err
		}
	}
	if !hasHeader(req.Header, "Content-Type") {
		req.Header["Content-Type"] = "application/x-www-form-urlencoded"
	}
	return nil
}

func hasHeader(headers map[string]string, name string) bool {
	for have := range headers {
		if strings.EqualFold(have, name) {
			return true
		}
	}
	return false
}

// prepareAuth knows basic authentication, by a tuple of two or by the URL;
// anything else that is not empty is called, which fails for texts and lists.
func (g *getter) prepareAuth(req *Request) error {
	auth := g.arg("auth")
	if pair, ok := auth.(*pyval.Tuple); ok && len(pair.Items) == 2 {
		basicAuth(req, rawText(pair.Items[0]), rawText(pair.Items[1]))
		return nil
	}
	if pyval.Truth(auth) {
		return typeError("'%s' object is not callable", pyval.TypeName(auth))
	}
	_, rest, ok := strings.Cut(req.URL, "://")
	authority, _, _ := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(authority, '@'); ok && i >= 0 && auth.Kind() == pyval.KindNone {
		if user, password, both := strings.Cut(authority[:i], ":"); both {
			basicAuth(req, unescape(user), unescape(password))
		}
	}
	return nil
}

// unescape undoes percent escapes; a broken one keeps the text as it is.
func unescape(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

func basicAuth(req *Request, user, password string) {
	setHeader(req.Header, "Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(user+":"+password)))
}
