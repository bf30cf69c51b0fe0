package exec

import (
	"strconv"
	"time"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A query is the parameters of a request in order.
type query []any // name, value, name, value, ...

func (q query) dict() *pyval.Dict { return record(q...) }

// get sends a request; host is that of a RapidAPI service, or "".
func (f *frame) get(base string, q query, host string) Response {
	req := Request{Method: "GET", URL: prepareURL(base, func(bool) string { return encodeQuery(q.dict()) })}
	if host != "" {
		req.Header = map[string]string{"X-RapidAPI-Key": rapidKey.Placeholder, "X-RapidAPI-Host": host}
	}
	return pyval.Must(f.do(req))
}

// rapid asks a RapidAPI service.
func (f *frame) rapid(host, path string, q query) Response {
	return f.get("https://"+host+path, q, host)
}

// parse is the JSON of an answer.
func parse(text string) pyval.Value {
	v, err := pyval.ParseJSON(text)
	if err != nil {
		panic(pyval.JSONException(text, err))
	}
	return v
}

// dig follows keys and positions into an answer.
func (f *frame) dig(r Response, way ...any) pyval.Value {
	v := parse(r.Body)
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
func or(try, otherwise func() pyval.Value) pyval.Value {
	v, err := pyval.Try(try)
	if exception(err) != nil {
		return otherwise()
	}
	return pyval.Must(v, err)
}

// digOr follows a path into an answer; if it leads nowhere, the value is the
// whole body.
func (f *frame) digOr(r Response, way ...any) pyval.Value {
	return or(
		func() pyval.Value { return f.dig(r, way...) },
		func() pyval.Value { return parse(r.Body) })
}

func failedStatus(r Response) pyval.Value {
	return pyval.Str("Failed to fetch data with status code: " + strconv.Itoa(r.Status))
}

func (f *frame) wait(seconds int) { pyval.Check(f.sleep(time.Duration(seconds) * time.Second)) }
