package pyval

// itemWeight is the weight of a place in a container, without its value.
const itemWeight = 16

// Weight returns roughly how many bytes a value takes when it is written out or
// copied all the way down; small numbers by themselves count as nothing. A
// shared part counts each time it occurs, so [[[0]*1000]*1000]*1000 is heavy
// although it takes little memory. Counting stops once the weight exceeds most.
func Weight(v Value, most int) int {
	switch v := v.(type) {
	case Str:
		return len(v)
	case Bytes:
		return len(v)
	case Int:
		if v.big != nil {
			return v.big.BitLen() / 8
		}
	case *List:
		return weightAll(v.Items, most)
	case *Tuple:
		return weightAll(v.Items, most)
	case *Set:
		return v.dict.weight(most)
	case *Dict:
		return v.weight(most)
	}
	return 0
}

func weightAll(items []Value, most int) (total int) {
	for _, item := range items {
		if total > most {
			break
		}
		total += itemWeight + Weight(item, most-total)
	}
	return total
}

func (d *Dict) weight(most int) (total int) {
	for _, e := range d.all() {
		if total > most {
			break
		}
		total += 2*itemWeight + Weight(e.key, most-total)
		if total <= most {
			total += Weight(e.val, most-total)
		}
	}
	return total
}
