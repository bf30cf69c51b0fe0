package classes_test

import (
	"testing"

	"github.com/gobfcl/bfcl/internal/world/sim/trading"
)

func TestTradingHostile(t *testing.T) {
	hostile(t, trading.Class,
		`{}`,
		`{"authenticated": true, "market_status": "Open"}`,
		`{"authenticated": true, "market_status": "Open", "stocks": {"a": {"price": "x", "percent_change": null}}, "orders": {"a": 5, "1": []}}`,
		`{"authenticated": 1, "market_status": "Open", "stocks": {"a": 5}, "account_info": [], "order_counter": [], "watch_list": 5}`,
		`{"authenticated": 1, "market_status": "Open", "stocks": ["a"], "account_info": {"balance": "x"}, "transaction_history": 5}`,
		`{"authenticated": [1], "market_status": "Open", "stocks": "a", "account_info": 5, "transaction_history": [{"timestamp": 5}]}`,
		`{"authenticated": 1, "stocks": 5, "account_info": {"balance": []}, "transaction_history": "x", "order_counter": "x"}`,
	)
}

func FuzzTradingCalls(f *testing.F) {
	fuzz(f, trading.Class,
		[2]string{`{}`, "trading_login('a', 'b')\nfund_account(5)\nplace_order('Buy', 'AAPL', 1.5, 2)\nget_order_details(12446)\ncancel_order(12446)"},
		[2]string{`{"authenticated": true, "market_status": "Open"}`, "withdraw_funds(1e308)\nfund_account(10**400)\nwithdraw_funds(0.5)\nget_transaction_history('2024-09-01', '2024-9-2')"},
		[2]string{`{"orders": {"²": {}, "01": {}, "1": {}}}`, "get_order_history()"},
		[2]string{`{"authenticated": true}`, "filter_stocks_by_price(get_available_stocks('Technology')['stock_list'], 0, 1e9)\nnotify_price_change('AAPL', 0)\nadd_to_watchlist('AAPL')\nremove_stock_from_watchlist('AAPL')\nget_watchlist()"},
	)
}
