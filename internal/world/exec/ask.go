package exec

import (
	"time"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A query is the parameters of a request in order.
type query []any // name, value, name, value, ...

func (q query) dict() *pyval.Dict { return record(q...) }

// get sends a request; host is that of a RapidAPI service, or "".
func (f *frame) get(base string, q query, host string) Response {
	if f.err != nil {
		return Response{}
	}
	url, err := prepareURL(base, func(bool) (string, error) { return encodeQuery(q.dict()) })
	if err != nil {
		f.fail(err)
		return Response{}
	}
	req := Request{Method: "GET", URL: url}
	if host != "" {
		req.Header = map[string]string{"X-RapidAPI-Key": rapidKey.Placeholder, "X-RapidAPI-Host": host}
	}
	resp, err := f.do(req)
	if err != nil {
		f.fail(err)
	}
	return resp
}

// rapid asks a RapidAPI service.
func (f *frame) rapid(host, path string, q query) Response {
	return f.get("https://"+host+path, q, host)
}

// parse is the JSON of an answer.
func (f *frame) parse(r Response) pyval.Value {
	if f.err != nil {
		return pyval.None
	}
	return f.keep(parseJSON(r.Body))
}

func parseJSON(text string) (pyval.Value, error) {
	v, err := pyval.ParseJSON(text)
	if err != nil {
		return nil, pyval.JSONException(text, err)
	}
	return v, nil
}

// dig follows keys and positions into an answer.
func (f *frame) dig(v pyval.Value, way ...any) pyval.Value {
	for _, step := range way {
		switch step := step.(type) {
		case string:
			v = f.item(v, pyval.Str(step))
		case int:
			v = f.at(v, step)
		}
	}
	return v
}

// or gives try's value or, after any exception in it, that of otherwise.
func (f *frame) or(try, otherwise func() pyval.Value) pyval.Value {
	if f.err != nil {
		return pyval.None
	}
	v := try()
	if exception(f.err) == nil {
		return v
	}
	f.err = nil
	return otherwise()
}

// digOr follows a path into an answer; if it leads nowhere, the value is the
// whole body.
func (f *frame) digOr(r Response, way ...any) pyval.Value {
	return f.or(
		func() pyval.Value { return f.dig(f.parse(r), way...) },
		func() pyval.Value { return f.parse(r) })
}

func (f *frame) failedStatus(r Response) pyval.Value {
	return pyval.Str("Failed to fetch data with status code: " + number(int64(r.Status)).String())
}

func (f *frame) wait(seconds int) {
	if f.err == nil {
		if err := f.sleep(time.Duration(seconds) * time.Second); err != nil {
			f.fail(err)
		}
	}
}
