package classes

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

func showOrders(b *sim.Object, _ []pyval.Value) pyval.Value {
	if !b.True("authenticated") {
		return pyval.NewList(unauthenticated("view order history"))
	}
	return sim.Answer("history", pyval.NewList(orders(b).Keys()...))
}

func showOrder(b *sim.Object, args []pyval.Value) pyval.Value {
	order, ok := sim.Find(orders(b), args[0])
	switch {
	case !ok:
		return sim.Fail("Order with ID {} not found.Here is the list of orders_id: {}", args[0], pyval.NewList(orders(b).Keys()...))
	case b.Long == nil:
		return order
	}
	return padded(b, sim.MustDict(order, "copy").Clone())
}

// padded adds the long-context texts about the order's stock.
func padded(b *sim.Object, order *pyval.Dict) pyval.Value {
	name := sim.Text("{}", sim.At(order, "symbol"))
	texts := b.Long.Dict("ORDER_DETAIL_EXTENSION")
	metadata := pyval.NewDict(texts.Len())
	for key, text := range texts.All() {
		if s, ok := text.(pyval.Str); ok {
			text = pyval.Str(strings.ReplaceAll(string(s), "{symbol}", name))
		}
		metadata.Add(key, text)
	}
	order.SetStr("metadata", metadata)
	return order
}

// cancel needs no login.
func cancel(b *sim.Object, args []pyval.Value) pyval.Value {
	order, ok := sim.Find(orders(b), args[0])
	switch {
	case !ok:
		return sim.Fail("Order with ID {} not found.", args[0])
	case sim.Is(sim.At(order, "status"), "==", "Completed"):
		return sim.Fail("Can't cancel order {}. Order is already completed.", args[0])
	}
	sim.Put(order, "status", "Cancelled")
	return sim.Answer("order_id", args[0], "status", "Cancelled")
}

func order(b *sim.Object, args []pyval.Value) pyval.Value {
	kind, symbol, amount := args[0], args[1], args[3]
	switch {
	case !b.True("authenticated"):
		return unauthenticated("place an order")
	case !sim.Is(symbol, "in", b.Get("stocks")):
		return sim.Fail("Invalid stock symbol: {}", symbol)
	case sim.Is(args[2], "<=", 0) || sim.Is(amount, "<=", 0):
		return sim.Fail("Price and amount must be positive values.")
	}
	price := sim.Float(args[2])
	if refusal := refusePurchase(b, kind, price, amount); refusal != nil {
		return refusal
	}
	id := b.Get("order_counter")
	sim.Put(orders(b), id, sim.Answer("id", id, "order_type", kind, "symbol", symbol, "price", price, "amount", amount, "status", "Open"))
	b.Add("order_counter", 1)
	return sim.Answer("order_id", id, "order_type", kind, "status", "Pending", "price", price, "amount", amount)
}

// refusePurchase is the answer to a purchase beyond the balance, which is
// checked but never charged, else nil.
func refusePurchase(b *sim.Object, kind pyval.Value, price float64, amount pyval.Value) pyval.Value {
	if sim.Lower(kind) != "buy" {
		return nil
	}
	cost := sim.Calc(price, "*", pyval.Must(pyval.ToInt(amount)))
	balance := sim.GetOr(b.Get("account_info"), "balance", 0)
	if !sim.Is(cost, ">", balance) {
		return nil
	}
	return sim.Fail("Insufficient funds: required $" + sim.Fixed(sim.Float(cost), 2) + " but only $" + sim.Fixed(sim.Float(balance), 2) + " available.")
}
