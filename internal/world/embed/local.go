package embed

import (
	"context"
	"hash/fnv"
	"strings"
	"unicode"
)

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

// Close implements Embedder.
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
