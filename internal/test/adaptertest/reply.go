package adaptertest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Said is what an adapter reads from a reply.
type Said interface {
	Result(mode eval.Mode) pyval.Value
	Ended() (cutOff bool, finish string)
	Usage() (input, output int, reasoning string)
}

// Replies reads replies that are odd in one way: each has a name, the reply, the
// result as Python writes it, and the kind of the error instead. A name that begins
// with "cut off: " says that the answer is.
func Replies(t *testing.T, odd [][4]string, read func(t *testing.T, reply string) (result pyval.Value, cutOff bool, err error)) {
	t.Helper()
	for _, c := range odd {
		name, reply, want, kind := c[0], c[1], c[2], c[3]
		t.Run(name, func(t *testing.T) {
			result, cutOff, err := read(t, reply)
			if kind != "" {
				require.Error(t, err)
				assert.Equal(t, kind, eval.InfraKind(err), "%v", err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, want, pyval.Repr(result))
			assert.Equal(t, strings.HasPrefix(name, "cut off: "), cutOff)
		})
	}
}

// Parsed reads replies by an adapter's parse alone, for Replies.
func Parsed[R Said](parse func(*pyval.Dict) (R, error)) func(*testing.T, string) (pyval.Value, bool, error) {
	return func(t *testing.T, reply string) (pyval.Value, bool, error) {
		t.Helper()
		r, err := parse(Doc(t, reply))
		if err != nil {
			return nil, false, err
		}
		input, output, _ := r.Usage()
		assert.True(t, input >= 0 && output >= 0)
		cutOff, _ := r.Ended()
		return r.Result(eval.FC), cutOff, nil
	}
}

// Answered reads replies by a whole adapter, for Replies.
func Answered(ask func(t *testing.T, reply string) (*eval.Response, error)) func(*testing.T, string) (pyval.Value, bool, error) {
	return func(t *testing.T, reply string) (pyval.Value, bool, error) {
		t.Helper()
		resp, err := ask(t, reply)
		if err != nil {
			return nil, false, err
		}
		assert.True(t, resp.InputTokens >= 0 && resp.OutputTokens >= 0)
		return resp.Result, resp.CutOff, nil
	}
}

// FuzzReply holds that parse makes of any object an answer or an error.
func FuzzReply[R Said](f *testing.F, parse func(*pyval.Dict) (R, error), seeds ...string) {
	f.Helper()
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := pyval.ParseJSON(text)
		d, ok := v.(*pyval.Dict)
		if err != nil || !ok {
			return
		}
		parses(t, parse, d)
	})
}

func parses[R Said](t *testing.T, parse func(*pyval.Dict) (R, error), d *pyval.Dict) {
	t.Helper()
	r, err := parse(d)
	var none R
	if (any(r) == any(none)) == (err == nil) {
		t.Fatalf("parse gave %v and %v", r, err)
	}
	if err != nil {
		return
	}
	if input, output, _ := r.Usage(); r.Result(eval.FC) == nil || input < 0 || output < 0 {
		t.Fatalf("parse gave %+v", r)
	}
}

// FuzzStream holds that a stream becomes a reply that parse reads, or an error.
func FuzzStream[R interface {
	Said
	Message() eval.Message
}](f *testing.F, s *provider.Stream, isToken func(pyval.Value) bool, parse func(*pyval.Dict) (R, error), seeds ...string) {
	f.Helper()
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		for data := range provider.Events(body) {
			if v, err := pyval.ParseJSON(strings.ToValidUTF8(data, "\uFFFD")); err == nil {
				isToken(v)
			}
		}
		reply, err := s.Read(body)
		if (reply == nil) == (err == nil) {
			t.Fatalf("Read gave %v and %v", reply, err)
		}
		if reply == nil {
			return
		}
		if r, err := parse(reply); err == nil {
			r.Result(eval.FC)
			r.Message()
		}
	})
}
