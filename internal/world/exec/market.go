package exec

import "github.com/gobfcl/bfcl/internal/python/pyval"

func convertCurrency(f *frame, a []pyval.Value) pyval.Value {
	amount, from, to := a[0], a[1], a[2]
	r := f.get("https://v6.exchangerate-api.com/v6/"+exchangeKey.Placeholder+"/latest/"+pyval.Text(from), nil, "")
	if r.Status != 200 {
		return failedStatus(r)
	}
	data := parse(r.Body)
	body, ok := data.(*pyval.Dict)
	if !ok {
		return raise("AttributeError", "'%s' object has no attribute 'get'", pyval.TypeName(data))
	}
	rates, ok := body.GetStr("conversion_rates")
	if !ok {
		rates = pyval.NewDict(0)
	}
	if !pyval.Must(pyval.Contains(rates, to)) {
		return pyval.Str("Target currency code not found.")
	}
	return f.mul(amount, f.item(rates, to))
}

const stockHost = "yahoo-finance15.p.rapidapi.com"

func companyName(f *frame, a []pyval.Value) pyval.Value {
	return f.digOr(f.rapid(stockHost, "/api/v1/markets/search", query{"search", a[0]}), "body", 0, "name")
}

func stockPrice(f *frame, a []pyval.Value) pyval.Value {
	r := f.rapid(stockHost, "/api/v1/markets/stock/quotes", query{"ticker", a[0]})
	return or(
		func() pyval.Value { return pyval.Must(pyval.ToFloat(f.dig(r, "body", 0, "regularMarketPrice"))) },
		func() pyval.Value { return parse(r.Body) })
}

func stockHistory(f *frame, a []pyval.Value) pyval.Value {
	r := f.rapid(stockHost, "/api/v1/markets/stock/history",
		query{"symbol", a[0], "interval", a[1], "diffandsplits", a[2]})
	return or(
		func() pyval.Value { return f.lastEntries(f.dig(r, "body")) },
		func() pyval.Value { return parse(r.Body) })
}

// lastEntries are the last ten entries of a history.
func (f *frame) lastEntries(history pyval.Value) pyval.Value {
	keys := items(history)
	last := pyval.NewDict(10)
	for _, key := range keys[max(0, len(keys)-10):] {
		if err := last.Set(key, f.item(history, key)); err != nil {
			return raise("TypeError", "%v", err)
		}
	}
	return last
}

func amazonRating(f *frame, a []pyval.Value) pyval.Value {
	return f.amazon(a[0], "product_star_rating")
}

func amazonPrice(f *frame, a []pyval.Value) pyval.Value { return f.amazon(a[0], "product_price") }

func amazonTitle(f *frame, a []pyval.Value) pyval.Value { return f.amazon(a[0], "product_title") }

// amazon asks up to five times while the answer lacks the field.
func (f *frame) amazon(asin pyval.Value, field string) pyval.Value {
	for pause := 1; pause <= 16; pause *= 2 {
		r := f.rapid("real-time-amazon-data.p.rapidapi.com", "/product-details",
			query{"asin", asin, "country", pyval.Str("US")})
		v, err := pyval.Try(func() pyval.Value { return f.dig(r, "data", field) })
		if e := exception(err); e == nil || e.Class != "KeyError" {
			return pyval.Must(v, err)
		}
		f.wait(pause)
	}
	return pyval.None
}

func urbanTerm(f *frame, a []pyval.Value) pyval.Value {
	r := f.rapid("mashape-community-urban-dictionary.p.rapidapi.com", "/define", query{"term", a[0]})
	return f.dig(r, "list", 0, "definition")
}

func movieRating(f *frame, a []pyval.Value) pyval.Value { return f.movie(a[0], "Rated") }

func movieDirector(f *frame, a []pyval.Value) pyval.Value { return f.movie(a[0], "Director") }

func (f *frame) movie(title pyval.Value, field string) pyval.Value {
	r := f.get("http://www.omdbapi.com/", query{"t", title, "apikey", pyval.Str(omdbKey.Placeholder)}, "")
	return f.dig(r, field)
}
