package heuristic

import "math"

// enough is the evidence below which no function is called.
const enough = 1.0

// pick chooses the tool whose document shares most words with the question,
// or nil where none shares enough. Words in every document do not tell the
// tools apart, but they are evidence that one of them is meant.
func pick(stems map[string]bool, tools []*tool) *tool {
	in := map[string]int{}
	for s := range stems {
		for _, t := range tools {
			if t.stems[s] > 0 {
				in[s]++
			}
		}
	}
	var best *tool
	top := math.Inf(-1)
	for _, t := range tools {
		evidence, score := t.match(stems, in, len(tools))
		if evidence >= enough && score > top {
			best, top = t, score
		}
	}
	return best
}

// match weighs the words a tool shares with the question. Evidence asks whether
// the tool is meant at all: how much of the document and of the question is
// shared. The score compares tools, so rare words count more.
func (t *tool) match(stems map[string]bool, in map[string]int, tools int) (evidence, score float64) {
	var total, shared, hits float64
	for _, s := range t.order {
		weight := t.stems[s]
		total += weight
		if stems[s] {
			hits++
			shared += weight
			score += weight * (0.3 + math.Log(float64(tools+1)/float64(in[s])))
		}
	}
	evidence = shared/math.Sqrt(total+4) + 2*hits/(float64(len(stems))+3)
	return evidence, score / math.Sqrt(total+20)
}
