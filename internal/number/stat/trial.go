package stat

// PassAt estimates pass@k without bias from n trials of which c were right: the
// chance that of k trials at least one is (Chen et al. 2021, "Evaluating Large
// Language Models Trained on Code"). Ok is false where k is not between 1 and
// n.
func PassAt(n, c, k int) (p float64, ok bool) {
	if !sensible(n, c, k) {
		return 0, false
	}
	return 1 - chooseRatio(n-c, n, k), true
}

// PassHat estimates pass^k without bias: the chance that k trials are all right
// (Yao et al. 2024, "tau-bench").
func PassHat(n, c, k int) (p float64, ok bool) {
	if !sensible(n, c, k) {
		return 0, false
	}
	return chooseRatio(c, n, k), true
}

func sensible(n, c, k int) bool { return k >= 1 && k <= n && c >= 0 && c <= n }

// chooseRatio is C(m, k) / C(n, k), for m up to n.
func chooseRatio(m, n, k int) float64 {
	ratio := 1.0
	for i := range k {
		if m-i <= 0 {
			return 0
		}
		ratio *= float64(m-i) / float64(n-i)
	}
	return ratio
}
