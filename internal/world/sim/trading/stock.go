package trading

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

func (b *bot) showTime([]pyval.Value) (pyval.Value, error) {
	return sim.Answer("current_time", pyval.Str(now.Format("03:04 PM"))), nil
}

func (b *bot) showSymbol(args []pyval.Value) (pyval.Value, error) {
	symbol, ok, err := sim.Find(symbols, args[0])
	switch {
	case err != nil:
		return nil, err
	case !ok:
		symbol = pyval.Str("Stock not found")
	}
	return sim.Answer("symbol", symbol), nil
}

// showStock shows the shared long-context lists as they are: what becomes an
// argument of another call is a copy.
func (b *bot) showStock(args []pyval.Value) (pyval.Value, error) {
	known, err := pyval.Contains(b.stocks, args[0])
	switch {
	case err != nil:
		return nil, err
	case !known:
		return sim.FailOn("Stock with symbol '", args[0], "' not found.")
	}
	stock, err := pyval.Subscript(b.stocks, args[0])
	if err != nil || b.long == nil {
		return stock, err
	}
	d, err := sim.MustDict(stock, "copy")
	if err != nil {
		return nil, err
	}
	d = d.Clone()
	d.SetStr("MA(5)", b.long.List("MA_5_EXTENSION"))
	d.SetStr("MA(20)", b.long.List("MA_20_EXTENSION"))
	return d, nil
}

// extended is a + b as a new list.
func extended(a, b *pyval.List) *pyval.List {
	items := make([]pyval.Value, 0, len(a.Items)+len(b.Items))
	return &pyval.List{Items: append(append(items, a.Items...), b.Items...)}
}

func (b *bot) showSector(args []pyval.Value) (pyval.Value, error) {
	found, ok, err := sim.Find(sectors, args[0])
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return sim.Answer("stock_list", &pyval.List{}), nil
	}
	list := found.(*pyval.List)
	if b.long != nil {
		name, _ := args[0].(pyval.Str)
		list = extended(list, b.long.List(strings.ToUpper(string(name))+"_EXTENSION"))
	}
	return sim.Answer("stock_list", list), nil
}

// filter keeps the stocks whose price lies between two bounds; an unknown
// stock costs nothing.
func (b *bot) filter(args []pyval.Value) (pyval.Value, error) {
	stocks, err := pyval.Iterate(args[0])
	if err != nil {
		return nil, err
	}
	kept := &pyval.List{}
	for _, stock := range stocks {
		price, err := b.price(stock)
		if err != nil {
			return nil, err
		}
		inside, err := sim.GreaterEqual(price, args[1])
		if err == nil && inside {
			inside, err = sim.LessEqual(price, args[2])
		}
		if err != nil {
			return nil, err
		}
		if inside {
			kept.Items = append(kept.Items, stock)
		}
	}
	return sim.Answer("filtered_stocks", kept), nil
}

func (b *bot) price(stock pyval.Value) (pyval.Value, error) {
	stocks, err := sim.MustDict(b.stocks, "get")
	if err != nil {
		return nil, err
	}
	found, ok, err := sim.Find(stocks, stock)
	if err != nil || !ok {
		return pyval.MakeInt(0), err
	}
	d, err := sim.MustDict(found, "get")
	if err != nil {
		return nil, err
	}
	if price, ok := d.GetStr("price"); ok {
		return price, nil
	}
	return pyval.MakeInt(0), nil
}

func (b *bot) notify(args []pyval.Value) (pyval.Value, error) {
	stocks, err := pyval.Iterate(args[0])
	if err != nil {
		return nil, err
	}
	var changed []string
	for _, stock := range stocks {
		moved, err := b.moved(stock, args[1])
		if err != nil {
			return nil, err
		}
		if moved {
			name, err := sim.Text(stock)
			if err != nil {
				return nil, err
			}
			changed = append(changed, name)
		}
	}
	text := "No significant price changes in the selected stocks."
	if changed != nil {
		text = "Stocks " + strings.Join(changed, ", ") + " have significant price changes."
	}
	return sim.Answer("notification", pyval.Str(text)), nil
}

// moved reports whether a known stock's price changed by at least a threshold.
func (b *bot) moved(stock, threshold pyval.Value) (bool, error) {
	known, err := pyval.Contains(b.stocks, stock)
	if err != nil || !known {
		return false, err
	}
	found, err := pyval.Subscript(b.stocks, stock)
	if err != nil {
		return false, err
	}
	change, err := sim.Entry(found, "percent_change")
	if err != nil {
		return false, err
	}
	if change, err = pyval.Abs(change); err != nil {
		return false, err
	}
	return sim.GreaterEqual(change, threshold)
}
