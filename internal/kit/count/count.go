// Package count writes numbers of things.
package count

import "strconv"

// Of returns a number with its noun, such as "1 case" or "2 cases".
func Of(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Cases returns a number of cases, such as "1 case" or "2 cases".
func Cases(n int) string { return Of(n, "case", "cases") }
