package classes

import (
	"time"

	"github.com/gobfcl/bfcl/internal/world/sim"
)

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
