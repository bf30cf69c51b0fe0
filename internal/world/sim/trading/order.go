package trading

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

var (
	orderFields  = []string{"id", "order_type", "symbol", "price", "amount", "status"}
	placedFields = []string{"order_id", "order_type", "status", "price", "amount"}
)

func (b *bot) showOrders([]pyval.Value) (pyval.Value, error) {
	if !pyval.Truth(b.logged) {
		return pyval.NewList(sim.Fail("User not authenticated. Please log in to view order history.")), nil
	}
	return sim.Answer("history", pyval.NewList(b.orders.Keys()...)), nil
}

func (b *bot) showOrder(args []pyval.Value) (pyval.Value, error) {
	order, ok, err := sim.Find(b.orders, args[0])
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return sim.FailOn("Order with ID ", args[0],
			" not found.Here is the list of orders_id: "+pyval.Repr(pyval.NewList(b.orders.Keys()...)))
	case b.long == nil:
		return order, nil
	}
	d, err := sim.MustDict(order, "copy")
	if err != nil {
		return nil, err
	}
	return b.padded(d.Clone())
}

// padded adds the long-context texts about the order's stock.
func (b *bot) padded(order *pyval.Dict) (pyval.Value, error) {
	symbol, err := sim.Entry(order, "symbol")
	if err != nil {
		return nil, err
	}
	name, err := sim.Text(symbol)
	if err != nil {
		return nil, err
	}
	texts := b.long.Dict("ORDER_DETAIL_EXTENSION")
	metadata := pyval.NewDict(texts.Len())
	for key, text := range texts.All() {
		if s, ok := text.(pyval.Str); ok {
			text = pyval.Str(strings.ReplaceAll(string(s), "{symbol}", name))
		}
		_ = metadata.Set(key, text) // keys of a dict are hashable
	}
	order.SetStr("metadata", metadata)
	return order, nil
}

// cancel needs no login.
func (b *bot) cancel(args []pyval.Value) (pyval.Value, error) {
	order, ok, err := sim.Find(b.orders, args[0])
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return sim.FailOn("Order with ID ", args[0], " not found.")
	}
	status, err := sim.Entry(order, "status")
	switch {
	case err != nil:
		return nil, err
	case pyval.Equal(status, pyval.Str("Completed")):
		return sim.FailOn("Can't cancel order ", args[0], ". Order is already completed.")
	}
	if err := sim.SetEntry(order, "status", pyval.Str("Cancelled")); err != nil {
		return nil, err
	}
	return sim.Record([]string{"order_id", "status"}, args[0], pyval.Str("Cancelled")), nil
}

func (b *bot) order(args []pyval.Value) (pyval.Value, error) {
	kind, symbol, amount := args[0], args[1], args[3]
	refusal, err := b.refuseOrder(symbol, args[2], amount)
	if refusal != nil || err != nil {
		return refusal, err
	}
	price, err := sim.Float(args[2])
	if err != nil {
		return nil, err
	}
	refusal, err = b.refusePurchase(kind, pyval.Float(price), amount)
	if refusal != nil || err != nil {
		return refusal, err
	}
	id := b.counter
	order := sim.Record(orderFields, id, kind, symbol, pyval.Float(price), amount, pyval.Str("Open"))
	if err := b.orders.Set(id, order); err != nil {
		return nil, sim.Raise("TypeError", err.Error())
	}
	if b.counter, err = sim.Plus(id, pyval.MakeInt(1)); err != nil {
		b.counter = id
		return nil, err
	}
	return sim.Record(placedFields, id, kind, pyval.Str("Pending"), pyval.Float(price), amount), nil
}

// refuseOrder is the answer to an order that is refused, else nil.
func (b *bot) refuseOrder(symbol, price, amount pyval.Value) (pyval.Value, error) {
	if !pyval.Truth(b.logged) {
		return sim.Fail("User not authenticated. Please log in to place an order."), nil
	}
	known, err := pyval.Contains(b.stocks, symbol)
	switch {
	case err != nil:
		return nil, err
	case !known:
		return sim.FailOn("Invalid stock symbol: ", symbol, "")
	}
	for _, v := range []pyval.Value{price, amount} {
		none, err := sim.LessEqual(v, pyval.MakeInt(0))
		if err != nil {
			return nil, err
		}
		if none {
			return sim.Fail("Price and amount must be positive values."), nil
		}
	}
	return nil, nil
}

// refusePurchase is the answer to a purchase beyond the balance, which is
// checked but never charged, else nil.
func (b *bot) refusePurchase(kind, price, amount pyval.Value) (pyval.Value, error) {
	text, err := sim.MustText(kind, "lower")
	if err != nil || pyval.Lower(text) != "buy" {
		return nil, err
	}
	count, err := pyval.ToInt(amount)
	if err != nil {
		return nil, err
	}
	cost, err := sim.Times(price, count)
	if err != nil {
		return nil, err
	}
	account, err := sim.MustDict(b.account, "get")
	if err != nil {
		return nil, err
	}
	balance, ok := account.GetStr("balance")
	if !ok {
		balance = pyval.MakeInt(0)
	}
	more, err := sim.Greater(cost, balance)
	if err != nil || !more {
		return nil, err
	}
	need, err := sim.Float(cost)
	if err != nil {
		return nil, err
	}
	have, err := sim.Float(balance)
	return sim.Fail("Insufficient funds: required $" + sim.Fixed(need, 2) + " but only $" + sim.Fixed(have, 2) + " available."), err
}
