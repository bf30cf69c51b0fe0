package why

import (
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/judge"
)

// most is the number of calls up to which all matchings are tried; no dataset
// has half as many. If there are more, each is compared with the expected call
// at the same position.
const most = 64

// climb returns the level that an answer's calls reach.
func climb(n *judge.Inspection) cause.Level {
	switch {
	case n.Made() == 0:
		return cause.Ground
	case n.Made() != n.Wanted():
		return cause.Call
	case n.InOrder():
		return levelOf(n.Faults(0, 0))
	case n.Made() > most:
		return inPlace(n)
	}
	return matched(levelsOf(n))
}

// levelOf returns the level below the lowest fault.
func levelOf(f judge.Faults) cause.Level {
	switch {
	case f.Function:
		return cause.Call
	case f.Missing:
		return cause.Function
	case f.Unexpected:
		return cause.Required
	case f.Type:
		return cause.Known
	case f.Value:
		return cause.Types
	}
	return cause.Values
}

func inPlace(n *judge.Inspection) cause.Level {
	lowest := cause.Values
	for i := range n.Made() {
		lowest = min(lowest, levelOf(n.Faults(i, i)))
	}
	return lowest
}

// levelsOf compares each expected call, a row, with each call.
func levelsOf(n *judge.Inspection) [][]cause.Level {
	rows := make([][]cause.Level, n.Wanted())
	for i := range rows {
		rows[i] = make([]cause.Level, n.Made())
		for k := range rows[i] {
			rows[i][k] = levelOf(n.Faults(k, i))
		}
	}
	return rows
}

// matched returns the highest level that every expected call reaches in the
// best assignment of a different call to each.
func matched(rows [][]cause.Level) cause.Level {
	for level := cause.Values; level > cause.Call; level-- {
		m := matching{rows: rows, level: level, owner: make([]int, len(rows))}
		if m.perfect() {
			return level
		}
	}
	return cause.Call
}

// A matching assigns every expected call a call that reaches a level, by
// augmenting paths.
type matching struct {
	rows  [][]cause.Level
	level cause.Level
	// owner is the row that a call is assigned to, plus one.
	owner []int
	tried []bool
}

func (m *matching) perfect() bool {
	for row := range m.rows {
		m.tried = make([]bool, len(m.owner))
		if !m.give(row) {
			return false
		}
	}
	return true
}

// give finds a call for a row; rows that already have one may be given another.
func (m *matching) give(row int) bool {
	for call, level := range m.rows[row] {
		if level < m.level || m.tried[call] {
			continue
		}
		m.tried[call] = true
		if m.owner[call] == 0 || m.give(m.owner[call]-1) {
			m.owner[call] = row + 1
			return true
		}
	}
	return false
}
