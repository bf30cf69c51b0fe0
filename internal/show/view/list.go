package view

import "fmt"

// A list is what the page of all runs shows.
type list struct {
	Root, Trouble string
	Runs          []line
	More          bool
	States        []state
}

// A line is a run in the list.
type line struct {
	Run
	Date, Text, Interval string
	// Bar is the score as a bar, Err its interval.
	Bar, Err string
}

// A state is a filter with the number of its runs.
type state struct {
	Name  string
	Count int
}

func listOf(root string, runs []Run) list {
	v := list{Root: root}
	count := map[string]int{}
	for _, r := range runs {
		count[r.State]++
		one := line{Run: r, Text: "–"}
		if !r.When.IsZero() {
			one.Date = r.When.UTC().Format("2006-01-02 15:04")
		}
		if r.Scored {
			one.Text, one.Interval = fmt.Sprintf("%.2f", r.Score), fmt.Sprintf("%.1f–%.1f", r.Low, r.High)
			one.Bar, one.Err = fmt.Sprintf("%.1f", r.Score), fmt.Sprintf("M%.1f 6H%.1f", r.Low, r.High)
		}
		v.Runs = append(v.Runs, one)
	}
	for _, name := range []string{Running, Complete, Part, Refused} {
		if count[name] > 0 {
			v.States = append(v.States, state{name, count[name]})
		}
	}
	return v
}
