package classes_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/trading"
)

func TestTradingOrders(t *testing.T) {
	script(t, trading.Class, `{"authenticated": true, "orders": {}, "order_counter": 7, "account_info": {"balance": 30}, "stocks": {"AB": {"price": 2}}}`,
		step{"place_order('BUY', 'AB', 10, 3)", `{"order_id": 7, "order_type": "BUY", "status": "Pending", "price": 10.0, "amount": 3}`},
		step{"place_order('buy', 'AB', 10, 3.9)", `{"order_id": 8, "order_type": "buy", "status": "Pending", "price": 10.0, "amount": 3.9}`},
		step{"place_order('buy', 'AB', 10.01, 3)", `{"error": "Insufficient funds: required $30.03 but only $30.00 available."}`},
		step{"place_order('buy', 'AB', 1, 10**400)", raised + "int too large to convert to float"},
		step{"place_order('buy', 'AB', 1e999-1e999, 1)", `{"order_id": 9, "order_type": "buy", "status": "Pending", "price": NaN, "amount": 1}`},
		step{"place_order('hold', ['AB'], 1, 1)", raised + "unhashable type: 'list'"},
		step{"cancel_order(True)", `{"error": "Order with ID True not found."}`},
		step{"cancel_order(7.0)", `{"order_id": 7.0, "status": "Cancelled"}`},
		step{"get_order_details('7')", `{"error": "Order with ID 7 not found.Here is the list of orders_id: [7, 8, 9]"}`},
		step{"get_order_details(7)", `{"id": 7, "order_type": "BUY", "symbol": "AB", "price": 10.0, "amount": 3, "status": "Cancelled"}`},
	)
}

func TestTradingNumberedOrders(t *testing.T) {
	script(t, trading.Class, `{"authenticated": true, "orders": {"01": {"id": "a"}, "x": 1, "1": {"id": "b"}, "٣": {}}}`,
		step{"get_order_history()", `{"history": [1, "x", 3]}`},
		step{"get_order_details(1)", `{"id": "b"}`},
	)
	for scenario, want := range map[string]string{
		`{"orders": {"²": 1}}`: "invalid literal for int() with base 10: '²'",
		`{"orders": []}`:       "'list' object has no attribute 'items'",
		`{"orders": {"` + strings.Repeat("9", 5000) + `": 1}}`: "Exceeds the limit (4300 digits)",
		`{"random_seed": "x"}`:                                 "seed",
	} {
		_, err := trading.Class.New(sim.Table(scenario), sim.NewWorld(nil))
		assert.ErrorContains(t, err, want)
	}
}

func TestTradingMoney(t *testing.T) {
	script(t, trading.Class, `{"authenticated": true, "market_status": "Open", "account_info": {"balance": 10}, "random_seed": 1}`,
		step{"fund_account(True)", `{"status": "Account funded successfully", "new_balance": 11}`},
		step{"withdraw_funds(11.5)", `{"error": "Insufficient funds for withdrawal."}`},
		step{"withdraw_funds(0.1)", `{"status": "Withdrawal successful", "new_balance": 10.9}`},
		step{"fund_account(None)", raised + "'<=' not supported between instances of 'NoneType' and 'int'"},
		step{"get_transaction_history('2024-9-3', '')", `{"transaction_history": []}`},
		step{"get_transaction_history(5)", raised + "strptime() argument 1 must be str, not int"},
		step{"get_transaction_history('2023-02-29')", raised + "day is out of range for month"},
	)
}

// TestTradingNoState: cases that take turns, one starting from defaults that the
// other changed, do not see each other.
func TestTradingNoState(t *testing.T) {
	one := open(t, trading.Class, `{"authenticated": true, "market_status": "Open"}`, nil)
	one.Execute([]string{"fund_account(5)", "add_to_watchlist('AAPL')", "cancel_order(12446)", "place_order('Sell', 'AAPL', 1, 1)"})
	two := open(t, trading.Class, `{}`, nil)
	instance, ok := two.Instance("TradingBot")
	require.True(t, ok)
	state := instance.State()
	for key, want := range map[string]string{
		"watch_list": "['NVDA']", "transaction_history": "[]", "order_counter": "12446",
		"account_info": "{'account_id': 12345, 'balance': 10000.0, 'binding_card': 1974202140965533}",
	} {
		v, _ := state.GetStr(key)
		assert.Equal(t, want, pyval.Repr(v), key)
	}
}

func BenchmarkTradingCase(b *testing.B) {
	lib := sim.NewLibrary(trading.Class)
	calls := []string{"trading_login('a', 'b')", "fund_account(amount=5)", "get_stock_info(symbol='AAPL')", "place_order('Buy', 'AAPL', 1.5, 2)"}
	b.ReportAllocs()
	for b.Loop() {
		env, err := lib.Open(sim.Setup{Model: "m", Entry: "multi_turn_base_0", Involved: []string{"TradingBot"}})
		require.NoError(b, err)
		env.Execute(calls)
	}
}
