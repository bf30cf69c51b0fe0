package testkit

import (
	"context"
	"hash/fnv"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// An Embedder is the embedder of the recorded traces: the signs of sums over
// hashed words.
type Embedder struct{}

const vectorSize = 64

// Embed returns a vector for each text, whose numbers are exact in float32.
func (Embedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		var sums [vectorSize]int
		for _, h := range hashes(text) {
			for bit := range sums {
				sums[bit] += int(h>>bit&1)*2 - 1
			}
		}
		out[i] = make([]float32, vectorSize)
		for bit, sum := range sums {
			out[i][bit] = 0.125
			if sum < 0 {
				out[i][bit] = -0.125
			}
		}
	}
	return out, nil
}

func hashes(text string) []uint64 {
	var out []uint64
	for _, word := range strings.FieldsFunc(pyval.Lower(text), pyval.IsSpace) {
		f := fnv.New64a()
		_, _ = f.Write([]byte(word))
		h := f.Sum64()
		h ^= h >> 33
		h *= 0xff51afd7ed558ccd
		h ^= h >> 33
		out = append(out, h)
	}
	return out
}
