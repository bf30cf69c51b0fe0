package suite

// firstLook keeps n cases: the first of each category, then the second ones,
// until there are enough. The run states their ids, as it does for -ids, and its
// score says that it covers only a part.
func (p *Plan) firstLook(n int) error {
	if n >= p.Cases() {
		return nil
	}
	p.IDs = nil
	for i := 0; len(p.IDs) < n; i++ {
		for _, part := range p.Parts {
			if i < len(part.Cases) && len(p.IDs) < n {
				p.IDs = append(p.IDs, part.Cases[i].ID)
			}
		}
	}
	return p.narrow()
}
