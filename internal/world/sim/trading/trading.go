// Package trading is upstream's TradingBot: a stock broker with one account,
// a watch list, orders and a fixed time of day.
package trading

import (
	_ "embed"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

//go:embed trading_bot.json
var doc string

// Class is upstream's TradingBot.
var Class = &sim.Class{Name: "TradingBot", DocFile: "trading_bot.json", Doc: doc, New: open, Fields: sim.FieldsOf(defaults, "random_seed"), Methods: []sim.Method{
	{Name: "add_to_watchlist", Params: sim.Required("stock"), Call: sim.On((*bot).watch)},
	{Name: "cancel_order", Params: sim.Required("order_id"), Call: sim.On((*bot).cancel)},
	{Name: "filter_stocks_by_price", Params: sim.Required("stocks", "min_price", "max_price"), Call: sim.On((*bot).filter)},
	{Name: "fund_account", Params: sim.Required("amount"), Call: sim.On((*bot).fund)},
	{Name: "get_account_info", Call: sim.On((*bot).showAccount)},
	{Name: "get_available_stocks", Params: sim.Required("sector"), Call: sim.On((*bot).showSector)},
	{Name: "get_current_time", Call: sim.On((*bot).showTime)},
	{Name: "get_order_details", Params: sim.Required("order_id"), Call: sim.On((*bot).showOrder)},
	{Name: "get_order_history", Call: sim.On((*bot).showOrders)},
	{Name: "get_stock_info", Params: sim.Required("symbol"), Call: sim.On((*bot).showStock)},
	{Name: "get_symbol_by_name", Params: sim.Required("name"), Call: sim.On((*bot).showSymbol)},
	{
		Name:   "get_transaction_history",
		Params: []sim.Param{{Name: "start_date", Default: pyval.None}, {Name: "end_date", Default: pyval.None}},
		Call:   sim.On((*bot).showHistory),
	},
	{Name: "get_watchlist", Call: sim.On((*bot).showWatched)},
	{Name: "notify_price_change", Params: sim.Required("stocks", "threshold"), Call: sim.On((*bot).notify)},
	{Name: "place_order", Params: sim.Required("order_type", "symbol", "price", "amount"), Call: sim.On((*bot).order)},
	{Name: "remove_stock_from_watchlist", Params: sim.Required("symbol"), Call: sim.On((*bot).unwatch)},
	{Name: "trading_get_login_status", Call: sim.On((*bot).showLogin)},
	{Name: "trading_login", Params: sim.Required("username", "password"), Call: sim.On((*bot).login)},
	{Name: "trading_logout", Call: sim.On((*bot).logout)},
	{Name: "withdraw_funds", Params: sim.Required("amount"), Call: sim.On((*bot).withdraw)},
}}

// A bot is one TradingBot. What a scenario sets can be of any type.
type bot struct {
	orders  *pyval.Dict // of any scenario keys; digits were turned into ints
	account pyval.Value
	logged  pyval.Value
	market  pyval.Value
	counter pyval.Value // the next order's id
	stocks  pyval.Value
	watched pyval.Value
	history pyval.Value
	long    *eval.LongContext // nil unless in long-context mode
	random  *sim.Random
}

func open(scenario *pyval.Dict, world *sim.World) (sim.Instance, error) {
	set := func(key string) pyval.Value { return sim.Default(scenario, defaults, key) }
	b := &bot{
		account: set("account_info"),
		logged:  set("authenticated"),
		market:  set("market_status"),
		counter: set("order_counter"),
		stocks:  set("stocks"),
		watched: set("watch_list"),
		history: set("transaction_history"),
	}
	b.long = world.Long
	var err error
	if b.random, err = sim.SeedOf(scenario, 1053520); err != nil {
		return nil, err
	}
	b.orders, err = numbered(set("orders"))
	return b, err
}

// numbered turns the keys that are digits into ints.
func numbered(v pyval.Value) (*pyval.Dict, error) {
	orders, err := sim.MustDict(v, "items")
	if err != nil {
		return nil, err
	}
	out := pyval.NewDict(orders.Len())
	for key, order := range orders.All() {
		if s, ok := key.(pyval.Str); ok && sim.IsDigit(string(s)) {
			if key, err = pyval.ToInt(s); err != nil {
				return nil, err
			}
		}
		if err := out.Set(key, order); err != nil {
			return nil, err
		}
	}
	return out, nil
}

var attributes = sim.NewKeys(
	"orders", "account_info", "authenticated", "market_status", "order_counter",
	"stocks", "watch_list", "transaction_history", "long_context",
)

// State implements sim.Instance.
func (b *bot) State() *pyval.Dict {
	return attributes.Record(b.orders, b.account, b.logged, b.market, b.counter,
		b.stocks, b.watched, b.history, pyval.Bool(b.long != nil))
}
