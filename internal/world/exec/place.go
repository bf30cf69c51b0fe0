package exec

import "github.com/gobfcl/bfcl/internal/python/pyval"

func weather(f *frame, a []pyval.Value) pyval.Value {
	lat, lon := pair(a[0])
	r := f.get("https://api.open-meteo.com/v1/forecast", query{
		"latitude", lat, "longitude", lon,
		"current", pyval.Str("temperature_2m"), "temperature_unit", pyval.Str("fahrenheit"),
	}, "")
	if r.Status != 200 {
		return failedStatus(r)
	}
	return f.dig(r, "current", "temperature_2m")
}

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

func cityCoordinates(f *frame, a []pyval.Value) pyval.Value {
	f.wait(2)
	r := f.get("https://geocode.maps.co/search", query{"q", a[0], "api_key", pyval.Str(geocodeKey.Placeholder)}, "")
	if r.Status != 200 {
		return failedStatus(r)
	}
	if !pyval.Truth(parse(r.Body)) {
		return pyval.Str("No data found for the given city name.")
	}
	return pyval.NewTuple(f.dig(r, 0, "lat"), f.dig(r, 0, "lon"))
}

func ipCoordinates(f *frame, a []pyval.Value) pyval.Value {
	r := f.get("http://ip-api.com/json/"+pyval.Text(a[0]), nil, "")
	return or(
		func() pyval.Value { return pyval.NewTuple(f.dig(r, "lat"), f.dig(r, "lon")) },
		func() pyval.Value { return f.dig(r, "message") })
}

func ipZipcode(f *frame, a []pyval.Value) pyval.Value {
	r := f.get("http://ip-api.com/json/"+pyval.Text(a[0]), nil, "")
	return or(
		func() pyval.Value { return f.dig(r, "zip") },
		func() pyval.Value { return f.dig(r, "message") })
}

func zipcodeCity(f *frame, a []pyval.Value) pyval.Value {
	return f.digOr(f.get("http://ziptasticapi.com/"+pyval.Text(a[0]), nil, ""), "city")
}

func timeZone(f *frame, a []pyval.Value) pyval.Value {
	r := f.rapid("timezone-by-location.p.rapidapi.com", "/timezone",
		query{"lat", a[1], "lon", a[0], "c", one, "s", zero})
	return f.digOr(r, "Zones", 0, "TimezoneId")
}

func holidays(f *frame, a []pyval.Value) pyval.Value {
	base := "https://date.nager.at/api/v3/publicholidays/" + pyval.Text(a[1]) + "/" + pyval.Text(a[0])
	return parse(f.get(base, nil, "").Body)
}

func covidDeaths(f *frame, a []pyval.Value) pyval.Value {
	return f.digOr(f.covid(a[0]), "response", 0, "deaths", "total")
}

func covidCases(f *frame, a []pyval.Value) pyval.Value {
	return f.digOr(f.covid(a[0]), "response", 0, "cases", "active")
}

func (f *frame) covid(country pyval.Value) Response {
	return f.rapid("covid-193.p.rapidapi.com", "/statistics", query{"country", country})
}
