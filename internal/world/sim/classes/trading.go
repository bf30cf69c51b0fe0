package classes

import (
	_ "embed"
	"slices"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

//go:embed trading_bot.json
var docTrading string

// Trading is upstream's TradingBot.
var Trading = &sim.Class{Name: "TradingBot", DocFile: "trading_bot.json", Doc: docTrading, New: sim.New(open), Fields: sim.FieldsOf(defaultsTrading, "random_seed"), Methods: []sim.Method{
	// Needs no login, and answers with the list whatever happened.
	{Name: "add_to_watchlist", Params: sim.Params("stock"), Call: sim.On(func(b *sim.Object, args []pyval.Value) pyval.Value {
		watched := b.Get("watch_list")
		if sim.Is(args[0], "in", b.Get("stocks")) && !sim.Is(args[0], "in", watched) {
			sim.Append(watched, args[0])
		}
		return sim.Answer("watchlist", watched)
	})},
	// Needs no login.
	{Name: "cancel_order", Params: sim.Params("order_id"), Call: sim.On(func(b *sim.Object, args []pyval.Value) pyval.Value {
		order, ok := sim.Find(orders(b), args[0])
		switch {
		case !ok:
			return sim.Fail("Order with ID {} not found.", args[0])
		case sim.Is(sim.At(order, "status"), "==", "Completed"):
			return sim.Fail("Can't cancel order {}. Order is already completed.", args[0])
		}
		sim.Put(order, "status", "Cancelled")
		return sim.Answer("order_id", args[0], "status", "Cancelled")
	})},
	// Keeps the stocks whose price lies between two bounds; an unknown
	// stock costs nothing.
	{Name: "filter_stocks_by_price", Params: sim.Params("stocks", "min_price", "max_price"), Call: sim.On(func(b *sim.Object, args []pyval.Value) pyval.Value {
		return sim.Answer("filtered_stocks", sim.Filter(sim.Items(args[0]), func(stock pyval.Value) bool {
			price := sim.GetOr(sim.GetOr(b.Get("stocks"), stock, &pyval.Dict{}), "price", 0)
			return sim.Is(price, ">=", args[1]) && sim.Is(price, "<=", args[2])
		}))
	})},
	// Is possible while the market is closed.
	{Name: "fund_account", Params: sim.Params("amount"), Call: sim.On(func(b *sim.Object, args []pyval.Value) pyval.Value {
		switch {
		case !b.True("authenticated"):
			return unauthenticated("fund the account")
		case sim.Is(args[0], "<=", 0):
			return sim.Fail("Funding amount must be positive.")
		}
		return transact(b, "deposit", "+", args[0], "Account funded successfully")
	})},
	{Name: "get_account_info", Call: sim.On(func(b *sim.Object, _ []pyval.Value) pyval.Value {
		if !b.True("authenticated") {
			return unauthenticated("view account information")
		}
		return b.Get("account_info")
	})},
	{Name: "get_available_stocks", Params: sim.Params("sector"), Call: sim.On(func(b *sim.Object, args []pyval.Value) pyval.Value {
		found, ok := sim.Find(sectors, args[0])
		if !ok {
			return sim.Answer("stock_list", &pyval.List{})
		}
		name, _ := args[0].(pyval.Str)
		return sim.Answer("stock_list", extended(b, found.(*pyval.List), strings.ToUpper(string(name))+"_EXTENSION"))
	})},
	{Name: "get_current_time", Call: sim.On(func(*sim.Object, []pyval.Value) pyval.Value {
		return sim.Answer("current_time", now.Format("03:04 PM"))
	})},
	{Name: "get_order_details", Params: sim.Params("order_id"), Call: sim.On(func(b *sim.Object, args []pyval.Value) pyval.Value {
		order, ok := sim.Find(orders(b), args[0])
		switch {
		case !ok:
			return sim.Fail("Order with ID {} not found.Here is the list of orders_id: {}", args[0], pyval.NewList(orders(b).Keys()...))
		case b.Long == nil:
			return order
		}
		return padded(b, sim.MustDict(order, "copy").Clone())
	})},
	{Name: "get_order_history", Call: sim.On(func(b *sim.Object, _ []pyval.Value) pyval.Value {
		if !b.True("authenticated") {
			return pyval.NewList(unauthenticated("view order history"))
		}
		return sim.Answer("history", pyval.NewList(orders(b).Keys()...))
	})},
	// Shows the shared long-context lists as they are: what becomes an
	// argument of another call is a copy.
	{Name: "get_stock_info", Params: sim.Params("symbol"), Call: sim.On(func(b *sim.Object, args []pyval.Value) pyval.Value {
		if !sim.Is(args[0], "in", b.Get("stocks")) {
			return sim.Fail("Stock with symbol '{}' not found.", args[0])
		}
		stock := sim.At(b.Get("stocks"), args[0])
		if b.Long == nil {
			return stock
		}
		d := sim.MustDict(stock, "copy").Clone()
		d.SetStr("MA(5)", b.Long.List("MA_5_EXTENSION"))
		d.SetStr("MA(20)", b.Long.List("MA_20_EXTENSION"))
		return d
	})},
	{Name: "get_symbol_by_name", Params: sim.Params("name"), Call: sim.On(func(_ *sim.Object, args []pyval.Value) pyval.Value {
		return sim.Answer("symbol", sim.GetOr(symbols, args[0], "Stock not found"))
	})},
	// Keeps the transactions between two days, the second at its
	// first moment. The long-context rows are added unfiltered.
	{Name: "get_transaction_history", Params: sim.Params("start_date=null", "end_date=null"), Call: sim.On(func(b *sim.Object, args []pyval.Value) pyval.Value {
		if !b.True("authenticated") {
			return pyval.NewList(unauthenticated("view transaction history"))
		}
		first, last := dayOr(args[0], time.Time{}), dayOr(args[1], endOfTime)
		kept := sim.Filter(sim.Items(b.Get("transaction_history")), func(row pyval.Value) bool {
			at := sim.Moment.Parse(sim.At(row, "timestamp"))
			return !at.Before(first) && !at.After(last)
		})
		return sim.Answer("transaction_history", extended(b, kept, "TRANSACTION_HISTORY_EXTENSION"))
	})},
	// Answers with a bare list where upstream does: without a login,
	// and in long-context mode.
	{Name: "get_watchlist", Call: sim.On(func(b *sim.Object, _ []pyval.Value) pyval.Value {
		switch {
		case !b.True("authenticated"):
			return pyval.NewList(pyval.Str("Error: User not authenticated. Please log in to view the watchlist."))
		case b.Long == nil:
			return sim.Answer("watchlist", b.Get("watch_list"))
		}
		return extended(b, sim.MustList(b.Get("watch_list"), "copy"), "WATCH_LIST_EXTENSION")
	})},
	// Names the known stocks whose price changed by at least a threshold.
	{Name: "notify_price_change", Params: sim.Params("stocks", "threshold"), Call: sim.On(func(b *sim.Object, args []pyval.Value) pyval.Value {
		var changed []string
		for _, stock := range sim.Items(args[0]) {
			if !sim.Is(stock, "in", b.Get("stocks")) {
				continue
			}
			change := pyval.Must(pyval.Abs(sim.At(sim.At(b.Get("stocks"), stock), "percent_change")))
			if sim.Is(change, ">=", args[1]) {
				changed = append(changed, sim.Text("{}", stock))
			}
		}
		if changed == nil {
			return sim.Answer("notification", "No significant price changes in the selected stocks.")
		}
		return sim.Answer("notification", "Stocks "+strings.Join(changed, ", ")+" have significant price changes.")
	})},
	{Name: "place_order", Params: sim.Params("order_type", "symbol", "price", "amount"), Call: sim.On(order)},
	{Name: "remove_stock_from_watchlist", Params: sim.Params("symbol"), Call: sim.On(func(b *sim.Object, args []pyval.Value) pyval.Value {
		switch {
		case !b.True("authenticated"):
			return unauthenticated("modify the watchlist")
		case !sim.Is(args[0], "in", b.Get("watch_list")):
			return sim.Fail("Stock {} not found in watchlist.", args[0])
		}
		sim.Remove(b.Get("watch_list"), args[0])
		return sim.Answer("status", sim.Text("Stock {} removed from watchlist successfully.", args[0]))
	})},
	{Name: "trading_get_login_status", Call: sim.On(func(b *sim.Object, _ []pyval.Value) pyval.Value {
		return sim.Answer("status", b.Get("authenticated"))
	})},
	// Accepts any user.
	{Name: "trading_login", Params: sim.Params("username", "password"), Call: sim.On(func(b *sim.Object, _ []pyval.Value) pyval.Value {
		if b.True("authenticated") {
			return sim.Answer("status", "Already logged in")
		}
		b.Set("authenticated", true)
		return sim.Answer("status", "Logged in successfully")
	})},
	{Name: "trading_logout", Call: sim.On(func(b *sim.Object, _ []pyval.Value) pyval.Value {
		if !b.True("authenticated") {
			return sim.Answer("status", "No user is currently logged in")
		}
		b.Set("authenticated", false)
		return sim.Answer("status", "Logged out successfully")
	})},
	{Name: "withdraw_funds", Params: sim.Params("amount"), Call: sim.On(func(b *sim.Object, args []pyval.Value) pyval.Value {
		switch {
		case !b.True("authenticated"):
			return unauthenticated("make a transaction")
		case sim.Is(b.Get("market_status"), "!=", "Open"):
			return sim.Fail("Market is closed. Transactions are not allowed.")
		case sim.Is(args[0], "<=", 0):
			return sim.Fail("Transaction amount must be positive.")
		case sim.Is(args[0], ">", sim.At(b.Get("account_info"), "balance")):
			return sim.Fail("Insufficient funds for withdrawal.")
		}
		return transact(b, "withdrawal", "-", args[0], "Withdrawal successful")
	})},
}}

// open turns the orders' keys that are digits into ints.
func open(scenario *pyval.Dict, world *sim.World) sim.Instance {
	b, orders := sim.NewObject(scenario, defaultsTrading, 1053520, world), &pyval.Dict{}
	for key, order := range sim.MustDict(b.Get("orders"), "items").All() {
		if s, ok := key.(pyval.Str); ok && sim.IsDigit(string(s)) {
			key = pyval.Must(pyval.ToInt(s))
		}
		sim.Put(orders, key, order)
	}
	b.Set("orders", orders)
	b.Set("long_context", world.Long != nil)
	return b
}

func orders(b *sim.Object) *pyval.Dict { return b.Get("orders").(*pyval.Dict) }

// unauthenticated is the refusal to do something without a login.
func unauthenticated(purpose string) pyval.Value {
	return sim.Fail("User not authenticated. Please log in to " + purpose + ".")
}

// transact changes the balance and appends to the history, with a moment drawn
// within a day from now.
func transact(b *sim.Object, kind, op string, amount pyval.Value, status string) pyval.Value {
	balance := sim.Calc(sim.At(b.Get("account_info"), "balance"), op, amount)
	sim.Put(b.Get("account_info"), "balance", balance)
	at := now.Add(time.Duration(b.Random.Int(0, 24*60*60)) * time.Second).Format(time.DateTime)
	sim.Append(b.Get("transaction_history"), sim.Answer("type", kind, "amount", amount, "timestamp", at))
	return sim.Answer("status", status, "new_balance", balance)
}

func dayOr(v pyval.Value, open time.Time) time.Time {
	if !pyval.Truth(v) {
		return open
	}
	return sim.Day.Parse(v)
}

// extended is a new list with the long-context items added; a list stays as it
// is in an ordinary case.
func extended(b *sim.Object, list *pyval.List, name string) *pyval.List {
	if b.Long == nil {
		return list
	}
	return pyval.NewList(slices.Concat(list.Items, b.Long.List(name).Items)...)
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

var (
	// now is the fixed time of day that the broker knows.
	now = time.Date(2024, 9, 1, 10, 30, 0, 0, time.UTC)

	endOfTime = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
)

// defaults are the values that a scenario does not set.
var defaultsTrading = sim.Table(`{
	"orders": {
		"12345": {"id": 12345, "order_type": "Buy", "symbol": "AAPL", "price": 210.65, "amount": 10, "status": "Completed"},
		"12446": {"id": 12446, "order_type": "Sell", "symbol": "GOOG", "price": 2840.56, "amount": 5, "status": "Pending"}
	},
	"account_info": {"account_id": 12345, "balance": 10000.0, "binding_card": 1974202140965533},
	"authenticated": false,
	"market_status": "Closed",
	"order_counter": 12446,
	"stocks": {
		"AAPL": {"price": 227.16, "percent_change": 0.17, "volume": 2.552, "MA(5)": 227.11, "MA(20)": 227.09},
		"GOOG": {"price": 2840.34, "percent_change": 0.24, "volume": 1.123, "MA(5)": 2835.67, "MA(20)": 2842.15},
		"TSLA": {"price": 667.92, "percent_change": -0.12, "volume": 1.654, "MA(5)": 671.15, "MA(20)": 668.2},
		"MSFT": {"price": 310.23, "percent_change": 0.09, "volume": 3.234, "MA(5)": 309.88, "MA(20)": 310.11},
		"NVDA": {"price": 220.34, "percent_change": 0.34, "volume": 1.234, "MA(5)": 220.45, "MA(20)": 220.67},
		"ALPH": {"price": 1320.45, "percent_change": -0.08, "volume": 1.567, "MA(5)": 1321.12, "MA(20)": 1325.78},
		"OMEG": {"price": 457.23, "percent_change": 0.12, "volume": 2.345, "MA(5)": 456.78, "MA(20)": 458.12},
		"QUAS": {"price": 725.89, "percent_change": -0.03, "volume": 1.789, "MA(5)": 726.45, "MA(20)": 728.0},
		"NEPT": {"price": 88.34, "percent_change": 0.19, "volume": 0.654, "MA(5)": 88.21, "MA(20)": 88.67},
		"SYNX": {"price": 345.67, "percent_change": 0.11, "volume": 2.112, "MA(5)": 345.34, "MA(20)": 346.12},
		"ZETA": {"price": 22.09, "percent_change": -0.05, "volume": 0.789, "MA(5)": 22.12, "MA(20)": 22.34}
	},
	"watch_list": ["NVDA"],
	"transaction_history": []
}`)

var symbols = sim.Table(`{
	"Apple": "AAPL", "Google": "GOOG", "Tesla": "TSLA", "Microsoft": "MSFT", "Nvidia": "NVDA",
	"Zeta Corp": "ZETA", "Alpha Tech": "ALPH", "Omega Industries": "OMEG", "Quasar Ltd.": "QUAS",
	"Neptune Systems": "NEPT", "Synex Solutions": "SYNX", "Amazon": "AMZN", "Gorilla": "GORI"
}`)

var sectors = sim.Table(`{
	"Technology": ["AAPL", "GOOG", "MSFT", "NVDA"],
	"Automobile": ["TSLA", "F", "GM"]
}`)
