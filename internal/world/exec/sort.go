package exec

import (
	"math/bits"
	"slices"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

func sortArray(f *frame, a []pyval.Value) pyval.Value {
	items := slices.Clone(items(a[0]))
	reverse := index(a[1]) != 0
	return f.sorted(items, reverse)
}

// sorted is Python's sorted(items, reverse=reverse): stable both ways.
func (f *frame) sorted(items []pyval.Value, reverse bool) pyval.Value {
	if reverse {
		slices.Reverse(items)
	}
	items = f.sortRuns(items)
	if reverse {
		slices.Reverse(items)
	}
	return pyval.NewList(items...)
}

func (f *frame) less(a, b pyval.Value) bool {
	f.steps += pyval.Weight(a, maxWork) >> 7 // long items take long to compare
	f.step()
	return f.is(a, "<", b)
}

// sortRuns sorts short runs as CPython's list.sort does, comparison by
// comparison, since the first failing one is what a TypeError names; then it
// merges them.
func (f *frame) sortRuns(items []pyval.Value) []pyval.Value {
	size := minimalRun(len(items))
	var runs [][]pyval.Value
	for rest := items; len(rest) > 0; {
		n := f.countRun(rest)
		if n < size {
			short := min(size, len(rest))
			f.insertionSort(rest[:short], n)
			n = short
		}
		runs, rest = append(runs, rest[:n]), rest[n:]
	}
	for len(runs) > 1 {
		var merged [][]pyval.Value
		for ; len(runs) > 1; runs = runs[2:] {
			merged = append(merged, f.merge(runs[0], runs[1]))
		}
		runs = append(merged, runs...)
	}
	if len(runs) == 0 {
		return nil
	}
	return runs[0]
}

// minimalRun is CPython's merge_compute_minrun.
func minimalRun(n int) int {
	if n < 64 {
		return n
	}
	shift := bits.Len(uint(n)) - 6
	size := n >> shift
	if n&(1<<shift-1) != 0 {
		size++
	}
	return size
}

// countRun is the length of the ascending run at the start; a strictly
// descending one is reversed.
func (f *frame) countRun(items []pyval.Value) int {
	if len(items) < 2 {
		return len(items)
	}
	n, descending := 2, f.less(items[1], items[0])
	for n < len(items) && f.less(items[n], items[n-1]) == descending {
		n++
	}
	if descending {
		slices.Reverse(items[:n])
	}
	return n
}

// insertionSort is CPython's binarysort; the first sorted items are in order.
func (f *frame) insertionSort(items []pyval.Value, sorted int) {
	for ; sorted < len(items); sorted++ {
		pivot := items[sorted]
		left, right := 0, sorted
		for left < right {
			if middle := (left + right) / 2; f.less(pivot, items[middle]) {
				right = middle
			} else {
				left = middle + 1
			}
		}
		copy(items[left+1:sorted+1], items[left:sorted])
		items[left] = pivot
	}
}

func (f *frame) merge(a, b []pyval.Value) []pyval.Value {
	out := make([]pyval.Value, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if f.less(b[0], a[0]) {
			out, b = append(out, b[0]), b[1:]
		} else {
			out, a = append(out, a[0]), a[1:]
		}
	}
	return append(append(out, a...), b...)
}
