package web

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"net/url"
	"strings"
	"sync"
	"unicode"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim/memory"
)

// DefaultEmbedder is the name of the embedded embedder.
//
// Upstream's figures come from the model all-MiniLM-L6-v2. A server with that
// model gives comparable figures; those of the embedded embedder are not
// comparable.
const DefaultEmbedder = "local"

// openaiPrefix begins the name of an embedder at a server: openai:id@url.
const openaiPrefix = "openai:"

// OpenEmbedder finds an embedder by name; "" is DefaultEmbedder. Keys come from
// the environment that lookup reads.
func OpenEmbedder(name string, lookup func(string) string) (interface {
	memory.Embedder
	io.Closer
}, error) {
	switch {
	case name == "" || name == DefaultEmbedder:
		return Local{}, nil
	case strings.HasPrefix(name, openaiPrefix):
		id, url, ok := strings.Cut(strings.TrimPrefix(name, openaiPrefix), "@")
		if !ok || id == "" || url == "" {
			return nil, fmt.Errorf("-embedder=%.100q: write openai:<id>@<address>, as in openai:all-MiniLM-L6-v2@http://localhost:8000/v1", name)
		}
		return newServer(id, url, lookup)
	}
	return nil, fmt.Errorf("unknown -embedder %.100q: use %s or openai:<id>@<address>", name, DefaultEmbedder)
}

// EmbedderName returns an embedder's name as a score shows it, without the secrets
// of its address.
func EmbedderName(name string) string {
	head, url, ok := strings.Cut(name, "@")
	switch {
	case name == "":
		return DefaultEmbedder
	case !ok:
		return name
	}
	return head + "@" + bare(url)
}

// bare is an address without user, password and query; "" if it is none.
func bare(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	u.User, u.RawQuery = nil, ""
	return u.String()
}

// normal scales a vector to length 1; ok is false if its length is zero or not
// finite.
func normal(v []float64) (out []float32, ok bool) {
	var square float64
	for _, x := range v {
		square += float64(x * x)
	}
	length := math.Sqrt(square)
	if length == 0 || math.IsNaN(length) || math.IsInf(length, 0) {
		return nil, false
	}
	out = make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(x / length)
	}
	return out, true
}

// Local is the embedded embedder: hashed words and the letters they are made of
// (Weinberger et al., Feature Hashing, 2009; Bojanowski et al., subword
// information, 2017). It knows spellings but not meanings, gives the same
// vectors everywhere and needs no files and no network.
type Local struct{}

// localSize is the vectors' dimension, that of upstream's model.
const localSize = 384

// The weights of a text's features.
const (
	wordWeight = 3
	gramWeight = 1
	gramLength = 3
)

// Embed implements Embedder.
func (Local) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = localVector(text)
	}
	return out, nil
}

// Close does nothing.
func (Local) Close() error { return nil }

func localVector(text string) []float32 {
	sums := make([]float64, localSize)
	add(sums, "^", 1) // so that no text's vector is zero
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	for _, word := range words {
		add(sums, "="+word, wordWeight)
		letters := []rune("<" + word + ">")
		for at := 0; at+gramLength <= len(letters); at++ {
			add(sums, string(letters[at:at+gramLength]), gramWeight)
		}
	}
	v, ok := normal(sums)
	if !ok { // features that cancel each other out to nothing
		sums[0] = 1
		v, _ = normal(sums)
	}
	return v
}

// add counts a feature at the place that its hash gives, with a sign from the
// hash, so that features that share a place do not add up.
func add(sums []float64, feature string, weight float64) {
	h := fnv.New64a()
	_, _ = h.Write([]byte(feature))
	sum := h.Sum64()
	sum ^= sum >> 29
	if sum>>63 == 1 {
		weight = -weight
	}
	sums[sum%localSize] += weight
}

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

// Close drops the connections.
func (s *server) Close() error { return s.endpoint.Close() }

// Embed implements Embedder. It requests only the vectors that it does not
// have.
func (s *server) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	have := map[string][]float32{}
	var missing []string
	s.mu.Lock()
	for _, text := range texts {
		if _, seen := have[text]; !seen {
			if have[text] = s.kept[text]; have[text] == nil {
				missing = append(missing, text)
			}
		}
	}
	s.mu.Unlock()
	if len(missing) > 0 {
		got, err := s.ask(ctx, missing)
		if err != nil {
			return nil, err
		}
		if err := s.keep(missing, got); err != nil {
			return nil, err
		}
		for i, text := range missing {
			have[text] = got[i]
		}
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = have[text]
	}
	return out, nil
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
	body := pyval.Object("model", pyval.Str(s.model), "input", input, "encoding_format", pyval.Str("float"))
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
