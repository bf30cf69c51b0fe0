package classes_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/simtest"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/trading"
)

func TestTradingOrders(t *testing.T) {
	simtest.Script(t, trading.Class, `{"authenticated": true, "orders": {}, "order_counter": 7, "account_info": {"balance": 30}, "stocks": {"AB": {"price": 2}}}`,
		simtest.Step{Call: "place_order('BUY', 'AB', 10, 3)", Want: `{"order_id": 7, "order_type": "BUY", "status": "Pending", "price": 10.0, "amount": 3}`},
		simtest.Step{Call: "place_order('buy', 'AB', 10, 3.9)", Want: `{"order_id": 8, "order_type": "buy", "status": "Pending", "price": 10.0, "amount": 3.9}`},
		simtest.Step{Call: "place_order('buy', 'AB', 10.01, 3)", Want: `{"error": "Insufficient funds: required $30.03 but only $30.00 available."}`},
		simtest.Step{Call: "place_order('buy', 'AB', 1, 10**400)", Want: raised + "int too large to convert to float"},
		simtest.Step{Call: "place_order('buy', 'AB', 1e999-1e999, 1)", Want: `{"order_id": 9, "order_type": "buy", "status": "Pending", "price": NaN, "amount": 1}`},
		simtest.Step{Call: "place_order('hold', ['AB'], 1, 1)", Want: raised + "unhashable type: 'list'"},
		simtest.Step{Call: "cancel_order(True)", Want: `{"error": "Order with ID True not found."}`},
		simtest.Step{Call: "cancel_order(7.0)", Want: `{"order_id": 7.0, "status": "Cancelled"}`},
		simtest.Step{Call: "get_order_details('7')", Want: `{"error": "Order with ID 7 not found.Here is the list of orders_id: [7, 8, 9]"}`},
		simtest.Step{Call: "get_order_details(7)", Want: `{"id": 7, "order_type": "BUY", "symbol": "AB", "price": 10.0, "amount": 3, "status": "Cancelled"}`},
	)
}

func TestTradingNumberedOrders(t *testing.T) {
	simtest.Script(t, trading.Class, `{"authenticated": true, "orders": {"01": {"id": "a"}, "x": 1, "1": {"id": "b"}, "٣": {}}}`,
		simtest.Step{Call: "get_order_history()", Want: `{"history": [1, "x", 3]}`},
		simtest.Step{Call: "get_order_details(1)", Want: `{"id": "b"}`},
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
	simtest.Script(t, trading.Class, `{"authenticated": true, "market_status": "Open", "account_info": {"balance": 10}, "random_seed": 1}`,
		simtest.Step{Call: "fund_account(True)", Want: `{"status": "Account funded successfully", "new_balance": 11}`},
		simtest.Step{Call: "withdraw_funds(11.5)", Want: `{"error": "Insufficient funds for withdrawal."}`},
		simtest.Step{Call: "withdraw_funds(0.1)", Want: `{"status": "Withdrawal successful", "new_balance": 10.9}`},
		simtest.Step{Call: "fund_account(None)", Want: raised + "'<=' not supported between instances of 'NoneType' and 'int'"},
		simtest.Step{Call: "get_transaction_history('2024-9-3', '')", Want: `{"transaction_history": []}`},
		simtest.Step{Call: "get_transaction_history(5)", Want: raised + "strptime() argument 1 must be str, not int"},
		simtest.Step{Call: "get_transaction_history('2023-02-29')", Want: raised + "day is out of range for month"},
	)
}

// TestTradingNoState: cases that take turns, one starting from defaults that the
// other changed, do not see each other.
func TestTradingNoState(t *testing.T) {
	one := simtest.Open(t, trading.Class, `{"authenticated": true, "market_status": "Open"}`, nil)
	one.Execute([]string{"fund_account(5)", "add_to_watchlist('AAPL')", "cancel_order(12446)", "place_order('Sell', 'AAPL', 1, 1)"})
	two := simtest.Open(t, trading.Class, `{}`, nil)
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
