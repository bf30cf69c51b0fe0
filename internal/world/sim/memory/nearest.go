package memory

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// A neighbour is an entry that is similar to the query.
type neighbour struct {
	id    int64
	score float64 // a float32's value
	at    int     // in the index
}

// before reports whether n is listed before m: of two equal ones, the later in
// the index.
func (n neighbour) before(m neighbour) bool {
	return n.score > m.score || n.score == m.score && n.at > m.at
}

// nearest are the k entries most like a text, by the inner product of their
// vectors with its, in upstream's order.
//
// Upstream's IndexFlatIP goes through its entries with a heap of k: an entry
// gets in only if it is better than the worst, not if it is as good, and
// replaces the worst, the earliest of equal ones.
func (s *vectorStore) nearest(query string, k int) []neighbour {
	vectors := s.embed(query)
	var best []neighbour // the worst last
	for i, id := range s.index {
		n := neighbour{id, float64(product(vectors[0], vectors[i+1])), i}
		if len(best) == k {
			if n.score <= best[k-1].score {
				continue
			}
			best = best[:k-1]
		}
		at := sort.Search(len(best), func(i int) bool { return n.before(best[i]) })
		best = slices.Insert(best, at, n)
	}
	return best
}

// embed are the vectors of a text and of all entries in the index's order.
func (s *vectorStore) embed(query string) [][]float32 {
	texts := []string{query}
	for _, id := range s.index {
		text, _ := s.texts.Get(pyval.MakeInt(id))
		texts = append(texts, pyval.Text(text))
	}
	if s.embedder == nil {
		pyval.Check(sim.OutageOf("embedder", errors.New("no embedder is given")))
	}
	vectors, err := s.embedder.Embed(s.world.Context(), texts)
	if err == nil {
		err = check(vectors, len(texts))
	}
	if err != nil {
		pyval.Check(sim.OutageOf("embedder", err))
	}
	return vectors
}

// check refuses vectors that cannot be compared.
func check(vectors [][]float32, texts int) error {
	if len(vectors) != texts {
		return fmt.Errorf("the embedder gave %d vectors for %d texts", len(vectors), texts)
	}
	for _, v := range vectors {
		if len(v) == 0 || len(v) != len(vectors[0]) {
			return fmt.Errorf("the embedder gave vectors of %d and of %d numbers", len(vectors[0]), len(v))
		}
		var square float64
		for _, x := range v {
			square += float64(x) * float64(x)
		}
		switch {
		case math.IsNaN(square) || math.IsInf(square, 0):
			return errors.New("the embedder gave a vector with a number that is NaN or infinite")
		case square == 0:
			return errors.New("the embedder gave a vector of zeros")
		}
	}
	return nil
}

// product is the inner product as a float32.
func product(a, b []float32) float32 {
	var sum float64
	for i := range a {
		sum += float64(float64(a[i]) * float64(b[i]))
	}
	return float32(sum)
}
