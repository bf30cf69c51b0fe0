package exec

import (
	"strconv"
	"time"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

var askFunctions = []Function{
	{Name: "convert_currency", Params: sim.Params("amount", "from_currency", "to_currency"), Key: exchangeKey.Variable, run: func(f *frame, a []pyval.Value) pyval.Value {
		amount, from, to := a[0], a[1], a[2]
		r := f.get("https://v6.exchangerate-api.com/v6/"+exchangeKey.Placeholder+"/latest/"+pyval.Text(from), nil, "")
		if r.Status != 200 {
			return failedStatus(r)
		}
		rates, ok := sim.MustDict(parse(r.Body), "get").GetStr("conversion_rates")
		if !ok {
			rates = pyval.NewDict(0)
		}
		if !pyval.Must(pyval.Contains(rates, to)) {
			return pyval.Str("Target currency code not found.")
		}
		return f.mul(amount, f.item(rates, to))
	}},
	{Name: "find_term_on_urban_dictionary", Params: sim.Params("term"), Key: rapidKey.Variable, run: func(f *frame, a []pyval.Value) pyval.Value {
		r := f.rapid("mashape-community-urban-dictionary.p.rapidapi.com", "/define", query{"term", a[0]})
		return f.dig(r, "list", 0, "definition")
	}},
	{Name: "get_active_covid_case_by_country", Params: sim.Params("country"), Key: rapidKey.Variable, run: func(f *frame, a []pyval.Value) pyval.Value {
		return f.digOr(f.covid(a[0]), "response", 0, "cases", "active")
	}},
	{Name: "get_company_name_by_stock_name", Params: sim.Params("stock_name"), Key: rapidKey.Variable, run: func(f *frame, a []pyval.Value) pyval.Value {
		return f.digOr(f.rapid(stockHost, "/api/v1/markets/search", query{"search", a[0]}), "body", 0, "name")
	}},
	{Name: "get_coordinate_by_ip_address", Params: sim.Params("ip_address"), run: func(f *frame, a []pyval.Value) pyval.Value {
		r := f.get("http://ip-api.com/json/"+pyval.Text(a[0]), nil, "")
		return or(
			func() pyval.Value { return pyval.NewTuple(f.dig(r, "lat"), f.dig(r, "lon")) },
			func() pyval.Value { return f.dig(r, "message") })
	}},
	{Name: "get_coordinates_from_city", Params: sim.Params("city_name"), Key: geocodeKey.Variable, run: func(f *frame, a []pyval.Value) pyval.Value {
		f.wait(2)
		r := f.get("https://geocode.maps.co/search", query{"q", a[0], "api_key", pyval.Str(geocodeKey.Placeholder)}, "")
		if r.Status != 200 {
			return failedStatus(r)
		}
		if !pyval.Truth(parse(r.Body)) {
			return pyval.Str("No data found for the given city name.")
		}
		return pyval.NewTuple(f.dig(r, 0, "lat"), f.dig(r, 0, "lon"))
	}},
	{Name: "get_covid_death_by_country", Params: sim.Params("country"), Key: rapidKey.Variable, run: func(f *frame, a []pyval.Value) pyval.Value {
		return f.digOr(f.covid(a[0]), "response", 0, "deaths", "total")
	}},
	{Name: "get_movie_director", Params: sim.Params("movie_name"), Key: omdbKey.Variable, run: func(f *frame, a []pyval.Value) pyval.Value { return f.movie(a[0], "Director") }},
	{Name: "get_movie_rating", Params: sim.Params("movie_name"), Key: omdbKey.Variable, run: func(f *frame, a []pyval.Value) pyval.Value { return f.movie(a[0], "Rated") }},
	{Name: "get_price_by_amazon_ASIN", Params: sim.Params("ASIN"), Key: rapidKey.Variable, run: func(f *frame, a []pyval.Value) pyval.Value { return f.amazon(a[0], "product_price") }},
	{Name: "get_product_name_by_amazon_ASIN", Params: sim.Params("ASIN"), Key: rapidKey.Variable, run: func(f *frame, a []pyval.Value) pyval.Value { return f.amazon(a[0], "product_title") }},
	{Name: "get_rating_by_amazon_ASIN", Params: sim.Params("ASIN"), Key: rapidKey.Variable, run: func(f *frame, a []pyval.Value) pyval.Value {
		return f.amazon(a[0], "product_star_rating")
	}},
	{Name: "get_stock_history", Params: sim.Params("stock_name", "interval", `diffandsplits="true"`), Key: rapidKey.Variable, run: func(f *frame, a []pyval.Value) pyval.Value {
		r := f.rapid(stockHost, "/api/v1/markets/stock/history",
			query{"symbol", a[0], "interval", a[1], "diffandsplits", a[2]})
		return or(
			func() pyval.Value { return f.lastEntries(f.dig(r, "body")) },
			func() pyval.Value { return parse(r.Body) })
	}},
	{Name: "get_stock_price_by_stock_name", Params: sim.Params("stock_name"), Key: rapidKey.Variable, run: func(f *frame, a []pyval.Value) pyval.Value {
		r := f.rapid(stockHost, "/api/v1/markets/stock/quotes", query{"ticker", a[0]})
		return or(
			func() pyval.Value { return pyval.Must(pyval.ToFloat(f.dig(r, "body", 0, "regularMarketPrice"))) },
			func() pyval.Value { return parse(r.Body) })
	}},
	{Name: "get_time_zone_by_coord", Params: sim.Params("long", "lat"), Key: rapidKey.Variable, run: func(f *frame, a []pyval.Value) pyval.Value {
		r := f.rapid("timezone-by-location.p.rapidapi.com", "/timezone",
			query{"lat", a[1], "lon", a[0], "c", one, "s", zero})
		return f.digOr(r, "Zones", 0, "TimezoneId")
	}},
	{Name: "get_weather_data", Params: sim.Params("coordinates"), run: func(f *frame, a []pyval.Value) pyval.Value {
		lat, lon := pair(a[0])
		r := f.get("https://api.open-meteo.com/v1/forecast", query{
			"latitude", lat, "longitude", lon,
			"current", pyval.Str("temperature_2m"), "temperature_unit", pyval.Str("fahrenheit"),
		}, "")
		if r.Status != 200 {
			return failedStatus(r)
		}
		return f.dig(r, "current", "temperature_2m")
	}},
	{Name: "get_zipcode_by_ip_address", Params: sim.Params("ip_address"), run: func(f *frame, a []pyval.Value) pyval.Value {
		r := f.get("http://ip-api.com/json/"+pyval.Text(a[0]), nil, "")
		return or(
			func() pyval.Value { return f.dig(r, "zip") },
			func() pyval.Value { return f.dig(r, "message") })
	}},
	{Name: "retrieve_city_based_on_zipcode", Params: sim.Params("zipcode"), run: func(f *frame, a []pyval.Value) pyval.Value {
		return f.digOr(f.get("http://ziptasticapi.com/"+pyval.Text(a[0]), nil, ""), "city")
	}},
	{Name: "retrieve_holiday_by_year", Params: sim.Params("country", "year"), run: func(f *frame, a []pyval.Value) pyval.Value {
		base := "https://date.nager.at/api/v3/publicholidays/" + pyval.Text(a[1]) + "/" + pyval.Text(a[0])
		return parse(f.get(base, nil, "").Body)
	}},
}

// A query is the parameters of a request in order.
type query []any // name, value, name, value, ...

// get sends a request; host is that of a RapidAPI service, or "".
func (f *frame) get(base string, q query, host string) Response {
	req := Request{Method: "GET", URL: prepareURL(base, func(bool) string { return encodeQuery(pyval.Object(q...)) })}
	if host != "" {
		req.Header = map[string]string{"X-RapidAPI-Key": rapidKey.Placeholder, "X-RapidAPI-Host": host}
	}
	return pyval.Must(f.do(req))
}

// rapid asks a RapidAPI service.
func (f *frame) rapid(host, path string, q query) Response {
	return f.get("https://"+host+path, q, host)
}

// parse is the JSON of an answer.
func parse(text string) pyval.Value {
	v, err := pyval.ParseJSON(text)
	if err != nil {
		panic(pyval.JSONException(text, err))
	}
	return v
}

// dig follows keys and positions into an answer.
func (f *frame) dig(r Response, way ...any) pyval.Value {
	v := parse(r.Body)
	for _, step := range way {
		switch step := step.(type) {
		case string:
			v = f.item(v, pyval.Str(step))
		case int:
			v = f.at(v, step)
		}
	}
	return v
}

// or gives try's value or, after any exception in it, that of otherwise.
func or(try, otherwise func() pyval.Value) pyval.Value {
	v, err := pyval.Try(try)
	if exception(err) != nil {
		return otherwise()
	}
	return pyval.Must(v, err)
}

// digOr follows a path into an answer; if it leads nowhere, the value is the
// whole body.
func (f *frame) digOr(r Response, way ...any) pyval.Value {
	return or(
		func() pyval.Value { return f.dig(r, way...) },
		func() pyval.Value { return parse(r.Body) })
}

func failedStatus(r Response) pyval.Value {
	return pyval.Str("Failed to fetch data with status code: " + strconv.Itoa(r.Status))
}

func (f *frame) wait(seconds int) { pyval.Check(f.sleep(time.Duration(seconds) * time.Second)) }

// pair unpacks two items.
func pair(v pyval.Value) (a, b pyval.Value) {
	items, err := pyval.Iterate(v)
	switch {
	case err != nil:
		raise("TypeError", "cannot unpack non-iterable %s object", pyval.TypeName(v))
	case len(items) < 2:
		raise("ValueError", "not enough values to unpack (expected 2, got %d)", len(items))
	case len(items) > 2:
		raise("ValueError", "too many values to unpack (expected 2)")
	}
	return items[0], items[1]
}

func (f *frame) covid(country pyval.Value) Response {
	return f.rapid("covid-193.p.rapidapi.com", "/statistics", query{"country", country})
}

const stockHost = "yahoo-finance15.p.rapidapi.com"

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

func (f *frame) movie(title pyval.Value, field string) pyval.Value {
	r := f.get("http://www.omdbapi.com/", query{"t", title, "apikey", pyval.Str(omdbKey.Placeholder)}, "")
	return f.dig(r, field)
}
