package embed

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// keyVariable is the environment variable of a server's key. OpenAI's own key
// is sent only to OpenAI.
const (
	keyVariable    = "BFCL_EMBEDDER_KEY"
	openaiVariable = "OPENAI_API_KEY"
	openaiHost     = "api.openai.com"
)

// trouble is the error kind for useless vectors.
const trouble = "embedder"

// maxKept is how many texts' vectors are kept: a memory is searched again and
// again.
const maxKept = 1 << 14

// A server is an embedder at an address.
type server struct {
	endpoint *provider.Endpoint
	model    string

	mu   sync.Mutex
	kept map[string][]float32
	size int // of vectors; 0 before the first
}

func newServer(id, address string, lookup func(string) string) (*server, error) {
	key := lookup(keyVariable)
	if u, err := url.Parse(address); key == "" && err == nil && u.Hostname() == openaiHost {
		key = lookup(openaiVariable)
	}
	return serverAt(&provider.Config{Model: id, BaseURL: address, Key: key})
}

func serverAt(c *provider.Config) (*server, error) {
	e, err := provider.New(c, "embeddings")
	if err != nil {
		return nil, err
	}
	return &server{endpoint: e, model: c.Model, kept: map[string][]float32{}}, nil
}

// Close implements Embedder.
func (s *server) Close() error { return s.endpoint.Close() }

// Embed implements Embedder. It requests only the vectors that it does not
// have.
func (s *server) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if missing := s.missing(texts); len(missing) > 0 {
		got, err := s.ask(ctx, missing)
		if err != nil {
			return nil, err
		}
		if err := s.keep(missing, got); err != nil {
			return nil, err
		}
		return s.known(texts, missing, got), nil
	}
	return s.known(texts, nil, nil), nil
}

func (s *server) missing(texts []string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	seen := map[string]bool{}
	for _, text := range texts {
		if s.kept[text] == nil && !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}

// known are the vectors of texts: the fresh ones just received, the others
// kept.
func (s *server) known(texts, fresh []string, vectors [][]float32) [][]float32 {
	come := make(map[string][]float32, len(fresh))
	for i, text := range fresh {
		come[text] = vectors[i]
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([][]float32, len(texts))
	for i, text := range texts {
		if out[i] = come[text]; out[i] == nil {
			out[i] = s.kept[text]
		}
	}
	return out
}

// keep remembers vectors. It refuses one of another dimension than the first.
func (s *server) keep(texts []string, vectors [][]float32) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, text := range texts {
		n := len(vectors[i])
		if s.size == 0 {
			s.size = n
		}
		if n != s.size {
			return eval.Infra(trouble, "%s gave a vector of %d numbers after one of %d: is it the same model?", s.endpoint, n, s.size)
		}
		if len(s.kept) < maxKept {
			s.kept[text] = vectors[i]
		}
	}
	return nil
}

// ask requests vectors from the server. Lone surrogates, which not every JSON
// parser accepts, become question marks.
func (s *server) ask(ctx context.Context, texts []string) ([][]float32, error) {
	input := &pyval.List{Items: make([]pyval.Value, len(texts))}
	for i, text := range texts {
		input.Items[i] = pyval.Str(strings.ToValidUTF8(text, "?"))
	}
	body := pyval.NewDict(3)
	body.SetStr("model", pyval.Str(s.model))
	body.SetStr("input", input)
	body.SetStr("encoding_format", pyval.Str("float"))
	reply, _, err := s.endpoint.Ask(ctx, body)
	if err != nil {
		return nil, &eval.InfraError{Kind: eval.InfraKind(err), Err: s.named(err)}
	}
	return s.vectors(reply, len(texts))
}

func (s *server) vectors(reply *pyval.Dict, texts int) ([][]float32, error) {
	data := provider.Items(reply, "data")
	if len(data) != texts {
		return nil, eval.Infra(trouble, "%s gave %d vectors for %d texts", s.endpoint, len(data), texts)
	}
	out := make([][]float32, texts)
	for i, item := range data {
		at := i
		if index, ok := provider.Get(item, "index").(pyval.Int); ok {
			n, _ := index.Int64()
			at = int(n)
		}
		if at < 0 || at >= texts || out[at] != nil {
			return nil, eval.Infra(trouble, "%s numbers its vectors wrongly: %d of %d", s.endpoint, at, texts)
		}
		v, err := numbers(provider.Items(item, "embedding"))
		if err != "" {
			return nil, eval.Infra(trouble, "%s gave a vector that cannot be compared: %s", s.endpoint, err)
		}
		out[at] = v
	}
	return out, nil
}

// numbers are a vector's numbers, or what is wrong with it.
func numbers(items []pyval.Value) (v []float32, wrong string) {
	wide := make([]float64, len(items))
	for i, item := range items {
		switch x := item.(type) {
		case pyval.Float:
			wide[i] = float64(x)
		case pyval.Int:
			wide[i], _ = x.Float64()
		default:
			return nil, "it contains a " + pyval.TypeName(item)
		}
	}
	if len(wide) == 0 {
		return nil, "it is missing or empty"
	}
	v, ok := normal(wide)
	if !ok {
		return nil, "it has only zeros, or a number that is NaN or infinite"
	}
	return v, ""
}

// named adds the server's address to an error.
func (s *server) named(err error) error {
	if infra, ok := errors.AsType[*eval.InfraError](err); ok {
		err = infra.Err
	}
	return &serverError{s.endpoint.String(), err}
}

// A serverError is an error of the embeddings server, not of the model's
// server.
type serverError struct {
	server string
	err    error
}

func (e *serverError) Error() string { return "embeddings of " + e.server + ": " + e.err.Error() }

// Unwrap hides a transport's error: what is fatal for embeddings does not stop
// the categories that need none.
func (e *serverError) Unwrap() error { return nil }
