package exec

import (
	"encoding/base64"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// getKeywords are the keywords that requests.get takes besides url and params.
var getKeywords = []string{
	"data", "headers", "cookies", "files", "auth", "timeout", "allow_redirects",
	"proxies", "hooks", "stream", "verify", "cert", "json",
}

// restRequest is the request that a call of requests.get sends. For many calls
// Python's client raises an exception before it sends anything; these are
// raised, with their texts.
func (m *machine) restRequest(call string) Request {
	e := parseCall(strings.ReplaceAll(call, "requests_get", "requests.get"), 1)
	name := ""
	if e.Kind == pycall.ExprCall {
		name, _ = dotted(e.Parts[0])
	}
	if name != "requests.get" {
		m.eval(e, &scope{})
		raise("NotImplementedError", "the text is not a call of requests.get")
	}
	return newGetter(m.arguments(e, &scope{})).request()
}

// A getter holds the arguments of one call of requests.get. Its methods raise
// what Python's client does.
type getter map[string]pyval.Value

// newGetter binds arguments as get, request and Session.request do in turn.
func newGetter(args []pycall.Arg) getter {
	g := getter{}
	var named, rest []pycall.Arg
	own := []Param{{Name: "url"}, {Name: "params", Default: pyval.None}}
	for _, a := range args {
		if a.Name == "" || pycall.Index(own, a.Name) >= 0 {
			named = append(named, a)
		} else {
			rest = append(rest, a)
		}
	}
	bound := pyval.Must(pycall.Bind(nil, pycall.Callee{Name: "get"}, own, named))
	g["url"], g["params"] = bound[0], bound[1]
	for _, kw := range rest {
		switch {
		case kw.Name == "method":
			raise("TypeError", "request() got multiple values for argument 'method'")
		case !slices.Contains(getKeywords, kw.Name):
			raise("TypeError", "Session.request() got an unexpected keyword argument '%s'", kw.Name)
		}
		g[kw.Name] = kw.Value
	}
	return g
}

func (g getter) arg(name string) pyval.Value {
	if v, ok := g[name]; ok {
		return v
	}
	return pyval.None
}

// request prepares the request in the order in which Python's client does, so
// that of several faults the first one counts.
func (g getter) request() Request {
	g.checkHooks()
	req := Request{Method: "GET", Header: map[string]string{}}
	if cookies := g.cookies(); len(cookies) > 0 {
		req.Header["Cookie"] = strings.Join(cookies, "; ")
	}
	req.URL = prepareURL(rawText(g["url"]), g.query)
	g.setHeaders(&req)
	g.setBody(&req)
	g.setAuth(&req)
	g.checkSending(req.URL)
	if v, ok := g["allow_redirects"]; ok {
		req.KeepRedirect = !pyval.Truth(v)
	}
	return req
}

func (g getter) checkHooks() {
	hooks := g.arg("hooks")
	if hooks.Kind() == pyval.KindNone {
		return
	}
	for event := range sim.MustDict(hooks, "items").All() {
		if pyval.Text(event) != "response" {
			raise("ValueError", "Unsupported event specified, with event name %q", pyval.Text(event))
		}
	}
}

func lacks(v pyval.Value, name string) {
	raise("AttributeError", "'%s' object has no attribute '%s'", pyval.TypeName(v), name)
}

// cookies are the parts of the Cookie header; the client looks every name up in
// what it was given, which only a dict allows.
func (g getter) cookies() (pairs []string) {
	cookies := g.arg("cookies")
	if !pyval.Truth(cookies) {
		return nil
	}
	for _, name := range items(cookies) {
		value := pyval.Must(pyval.Subscript(cookies, name))
		switch value.Kind() {
		case pyval.KindNone:
			pairs = append(pairs, pyval.Text(name))
		case pyval.KindStr:
			pairs = append(pairs, pyval.Text(name)+"="+pyval.Text(value))
		default:
			lacks(value, "startswith")
		}
	}
	return pairs
}

// query encodes params: a text, a dict, a list of pairs or, behind another
// query, a number.
func (g getter) query(behind bool) string {
	switch params := g.arg("params").(type) {
	case pyval.NoneType:
		return ""
	case pyval.Str, pyval.Bytes:
		return rawText(params)
	case *pyval.Dict:
		return encodeQuery(params)
	default:
		items, err := pyval.Iterate(params)
		switch {
		case err == nil:
			return encodePairs(items)
		case !pyval.Truth(params):
			return ""
		case !behind:
			raise("TypeError", "Cannot mix str and non-str arguments")
		}
		return pyval.Text(params)
	}
}

func encodePairs(items []pyval.Value) string {
	var out []string
	for _, item := range items {
		key, value := pair(item)
		out = append(out, encodeParam(key, value)...)
	}
	return strings.Join(out, "&")
}

func (g getter) setHeaders(req *Request) {
	headers := g.arg("headers")
	if !pyval.Truth(headers) {
		return
	}
	for name, value := range sim.MustDict(headers, "items").All() {
		if name.Kind() != pyval.KindStr && name.Kind() != pyval.KindBytes {
			lacks(name, "lower") // the client's dict of headers lowers names
		}
		if value.Kind() != pyval.KindNone {
			if value.Kind() != pyval.KindStr && value.Kind() != pyval.KindBytes {
				raise("InvalidHeader", "Header part (%s) from (%s, %[1]s) must be of type str or bytes, not <class '%[3]s'>",
					pyval.Repr(value), pyval.Repr(name), pyval.TypeName(value))
			}
			const invalid = "Invalid leading whitespace, reserved character(s), or return character(s) in header %s: %s"
			if text := rawText(name); text == "" || strings.ContainsAny(text, ":\r\n") || startsBlank(text) {
				raise("InvalidHeader", invalid, "name", pyval.Repr(name))
			}
			if text := rawText(value); strings.ContainsAny(text, "\r\n") || startsBlank(text) {
				raise("InvalidHeader", invalid, "value", pyval.Repr(value))
			}
			setHeader(req.Header, rawText(name), rawText(value))
		}
	}
}

// setHeader replaces a header whatever the case of its name.
func setHeader(headers map[string]string, name, value string) {
	maps.DeleteFunc(headers, func(old, _ string) bool { return strings.EqualFold(old, name) })
	headers[name] = value
}

func startsBlank(s string) bool { return s != "" && pyval.Strip(s[:1]) == "" }

// setBody keeps data and json as far as a GET request needs them.
func (g getter) setBody(req *Request) {
	kind := "application/x-www-form-urlencoded"
	switch data, object := g.arg("data"), g.arg("json"); {
	case pyval.Truth(data):
		switch data := data.(type) {
		case pyval.Str, pyval.Bytes:
			req.Body = rawText(data)
			return
		case *pyval.Dict:
			req.Body = encodeQuery(data)
		default:
			items, err := pyval.Iterate(data)
			if err != nil {
				return
			}
			req.Body = encodePairs(items)
		}
	case object.Kind() != pyval.KindNone:
		text, err := pyval.JSON(object, 0)
		if err != nil {
			raise("TypeError", "%v", err)
		}
		req.Body, kind = text, "application/json"
	default:
		return
	}
	for have := range req.Header {
		if strings.EqualFold(have, "Content-Type") {
			return
		}
	}
	req.Header["Content-Type"] = kind
}

// setAuth knows basic authentication, by a tuple of two or by the URL;
// anything else that is not empty is called, which fails for texts and lists.
func (g getter) setAuth(req *Request) {
	auth := g.arg("auth")
	if pair, ok := auth.(*pyval.Tuple); ok && len(pair.Items) == 2 {
		basicAuth(req, rawText(pair.Items[0]), rawText(pair.Items[1]))
		return
	}
	if pyval.Truth(auth) {
		raise("TypeError", "'%s' object is not callable", pyval.TypeName(auth))
	}
	_, rest, ok := strings.Cut(req.URL, "://")
	authority, _, _ := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(authority, '@'); ok && i >= 0 && auth.Kind() == pyval.KindNone {
		if user, password, both := strings.Cut(authority[:i], ":"); both {
			basicAuth(req, unescape(user), unescape(password))
		}
	}
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

// checkSending does what Python's client checks between preparing a request and
// sending it. Files of certificates are refused: this program has none to
// offer.
func (g getter) checkSending(url string) {
	if proxies := g.arg("proxies"); pyval.Truth(proxies) && proxies.Kind() != pyval.KindDict {
		lacks(proxies, "get")
	}
	switch lower := strings.ToLower(url); {
	case strings.HasPrefix(lower, "https://"):
		g.checkVerify()
		file := g.arg("cert")
		if pyval.Truth(file) && file.Kind() != pyval.KindStr && file.Kind() != pyval.KindBytes {
			pair := file
			file = pyval.Must(pyval.Subscript(pair, zero))
			pyval.Must(pyval.Subscript(pair, one))
		}
		if pyval.Truth(file) {
			raise("OSError", "Could not find the TLS certificate file, invalid path: %s", pyval.Text(file))
		}
	case !strings.HasPrefix(lower, "http://"):
		raise("InvalidSchema", "No connection adapters were found for %s", pyval.Repr(pyval.Str(url)))
	}
	g.checkTimeout()
}

func (g getter) checkVerify() {
	verify := g.arg("verify")
	if !pyval.Truth(verify) {
		return
	}
	switch verify.Kind() {
	case pyval.KindBool, pyval.KindInt:
	case pyval.KindStr, pyval.KindBytes:
		raise("OSError", "Could not find a suitable TLS CA certificate bundle, invalid path: %s", pyval.Text(verify))
	default:
		raise("TypeError", "stat: path should be string, bytes, os.PathLike or integer, not %s", pyval.TypeName(verify))
	}
}

// checkTimeout is urllib3's, for a single timeout or a pair of them.
func (g getter) checkTimeout() {
	timeout := g.arg("timeout")
	parts := []pyval.Value{timeout, timeout}
	if pair, ok := timeout.(*pyval.Tuple); ok {
		if parts = pair.Items; len(parts) != 2 {
			raise("ValueError", "Invalid timeout %s. Pass a (connect, read) timeout tuple, or a single float to set both timeouts to the same value.", pyval.Repr(timeout))
		}
	}
	for i, name := range []string{"connect", "read"} {
		switch v := parts[i]; v.Kind() {
		case pyval.KindNone:
		case pyval.KindBool:
			raise("ValueError", "Timeout cannot be a boolean value. It must be an int, float or None.")
		case pyval.KindInt, pyval.KindFloat:
			if low, _ := pyval.Order("<=", v, zero); low {
				raise("ValueError", "Attempted to set %s timeout to %s, but the timeout cannot be set to a value less than or equal to 0.", name, pyval.Text(v))
			}
		default:
			raise("ValueError", "Timeout value %s was %s, but it must be an int, float or None.", name, pyval.Text(v))
		}
	}
}
