package memory

import (
	"errors"
	"math"
	"slices"
	"sort"
	"strings"

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
	if err != nil {
		pyval.Check(sim.OutageOf("embedder", err))
	}
	return vectors
}

// product is the inner product as a float32.
func product(a, b []float32) float32 {
	var sum float64
	for i := range a {
		sum += float64(float64(a[i]) * float64(b[i]))
	}
	return float32(sum)
}

// The constants of rank_bm25's BM25Plus, which upstream searches keys with.
const (
	bmK1    = 1.5
	bmB     = 0.75
	bmDelta = 1.0
)

// An index holds keys by their words, for BM25+ (Lv and Zhai, 2011).
type index struct {
	keys   []pyval.Value
	counts []map[string]int // by key, then word
	words  []int            // by key, how many it has
	idf    map[string]float64
	mean   float64 // words a key
}

// newIndex raises as rank_bm25 does if there is nothing to index.
func newIndex(keys []pyval.Value) *index {
	if len(keys) == 0 {
		panic(sim.Raise("ZeroDivisionError", "division by zero"))
	}
	x := &index{keys: keys, idf: map[string]float64{}}
	total := 0
	having := map[string]int{} // keys that have a word
	for _, key := range keys {
		count := map[string]int{}
		words := tokens(pyval.Text(key))
		for _, word := range words {
			if count[word]++; count[word] == 1 {
				having[word]++
			}
		}
		x.counts, x.words = append(x.counts, count), append(x.words, len(words))
		total += len(words)
	}
	x.mean = float64(total) / float64(len(keys))
	for word, n := range having {
		x.idf[word] = idf(len(keys), n)
	}
	return x
}

// idf is ln((keys+1)/having) as C's library computes it.
func idf(keys, having int) float64 {
	v := pyval.Log(float64(keys+1) / float64(having))
	if up, odd := oddLogs[[2]int{keys, having}]; odd {
		return math.Nextafter(v, up)
	}
	return v
}

// oddLogs are the logarithms that glibc does not round to the nearest float,
// among those that up to 50 keys can need, with the direction of its error:
// each is very close to the middle between two floats.
var oddLogs = map[[2]int]float64{{40, 35}: math.Inf(-1)}

// tokens are a text's words: underscores are blanks.
func tokens(text string) []string {
	return strings.FieldsFunc(pyval.Lower(strings.ReplaceAll(text, "_", " ")), pyval.IsSpace)
}

// A hit is a key with its score.
type hit struct {
	score float64
	key   pyval.Value
}

// rank returns all keys, the best first; equal ones keep their order.
func (x *index) rank(query string) []hit {
	words := tokens(query)
	hits := make([]hit, len(x.keys))
	for i, key := range x.keys {
		hits[i] = hit{x.score(i, words), key}
	}
	sort.SliceStable(hits, func(i, j int) bool { return hits[i].score > hits[j].score })
	return hits
}

// score adds up a key's part of each of the query's words, in numpy's order
// of operations. The conversions keep a compiler from fusing them.
func (x *index) score(key int, query []string) float64 {
	length := float64(bmB*float64(x.words[key])) / x.mean
	norm := float64(bmK1 * (1 - bmB + length))
	score := 0.0
	for _, word := range query {
		f := float64(x.counts[key][word])
		part := float64(f*(bmK1+1)) / (norm + f)
		score += float64(x.idf[word] * (bmDelta + part))
	}
	return score
}
