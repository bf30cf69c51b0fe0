package classes

import (
	_ "embed"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

//go:embed travel_booking.json
var docTravel string

// Travel is upstream's TravelAPI.
var Travel = &sim.Class{Name: "TravelAPI", DocFile: "travel_booking.json", Doc: docTravel, New: sim.New(openTravel), Fields: sim.FieldsOf(defaultsTravel, "random_seed"), Methods: []sim.Method{
	// Accepts any user.
	{Name: "authenticate_travel", Params: sim.Params("client_id", "client_secret", "refresh_token", "grant_type", "user_first_name", "user_last_name"), Call: sim.On(func(d *sim.Object, args []pyval.Value) pyval.Value {
		d.Set("token_expires_in", 2)
		d.Set("access_token", d.Random.ID(100000, 999999))
		d.Set("token_type", "Bearer")
		d.Set("token_scope", args[3])
		d.Set("user_first_name", args[4])
		d.Set("user_last_name", args[5])
		return sim.Answer("expires_in", 2, "access_token", d.Get("access_token"), "token_type", "Bearer", "scope", args[3])
	})},
	// Refuses by the balance, not the cost, when it looks at the budget limit.
	// Upstream shows the classes in the order of a Python set, which varies from
	// process to process.
	{Name: "book_flight", Params: sim.Params("access_token", "card_id", "travel_date", "travel_from", "travel_to", "travel_class"), Call: sim.On(func(d *sim.Object, args []pyval.Value) pyval.Value {
		token, id, date, from, to, class := args[0], args[1], args[2], args[3], args[4], args[5]
		const status = "booking_status"
		cards := d.Get("credit_card_list")
		if text := refuse(d, token); text != "" {
			return failed(status, text)
		}
		if !sim.Is(id, "in", cards) {
			return failed(status, "Card not registered")
		}
		if !sim.Is("balance", "in", sim.At(cards, id)) {
			return failed(status, "Balance not found")
		}
		if !sim.Is(from, "in", airports) {
			return failed(status, "Invalid departure airport code: {}", from)
		}
		if !sim.Is(to, "in", airports) {
			return failed(status, "Invalid destination airport code: {}", to)
		}
		if _, err := pyval.Try(func() time.Time { return sim.Day.Parse(date) }); sim.IsClass(err, "ValueError") {
			return failed(status, "Invalid date format. Use YYYY-MM-DD.")
		} else if err != nil {
			panic(err)
		}
		if !sim.Is(class, "in", factors) {
			return failed(status, "Invalid travel class. Must be one of {'economy', 'business', 'first'}")
		}
		price, err := pyval.Try(func() pyval.Value { base, factor := cost(from, to, date, class); return pyval.Float(base * factor) })
		if sim.IsClass(err, "ValueError") {
			return failed(status, sim.AsException(err).Msg)
		}
		pyval.Check(err)
		balance, limit := sim.At(sim.At(cards, id), "balance"), d.Get("budget_limit")
		if sim.Is(balance, "<", price) {
			return failed(status, "Insufficient funds")
		}
		if limit.Kind() != pyval.KindNone && sim.Is(balance, "<", limit) {
			return failed(status, "Balance is less than budget limit")
		}
		return booked(d, args, price)
	})},
	// Gives the cost back to the card.
	{Name: "cancel_booking", Params: sim.Params("access_token", "booking_id"), Call: sim.On(func(d *sim.Object, args []pyval.Value) pyval.Value {
		if text := refuse(d, args[0]); text != "" {
			return failed("cancel_status", text)
		}
		bookings := d.Get("booking_record")
		if !sim.Is(args[1], "in", bookings) {
			return failed("cancel_status", "Booking not found")
		}
		booking := sim.At(bookings, args[1])
		card := sim.At(booking, "card_id")
		charge(d, card, "+", sim.At(booking, "travel_cost"))
		if bookings, ok := bookings.(*pyval.Dict); ok {
			bookings.Delete(args[1])
		}
		return sim.Answer("cancel_status", true)
	})},
	{Name: "compute_exchange_rate", Params: sim.Params("base_currency", "target_currency", "value"), Call: sim.On(func(_ *sim.Object, args []pyval.Value) pyval.Value {
		base, target, value := args[0], args[1], args[2]
		dollar := pyval.Str("USD")
		for currency, rate := range rates.All() {
			switch {
			case pyval.Equal(base, dollar) && pyval.Equal(target, currency):
				return sim.Answer("exchanged_value", sim.Float(sim.Scaled(value, rate)))
			case pyval.Equal(base, currency) && pyval.Equal(target, dollar):
				dollars := sim.Calc(value, "/", rate)
				f, ok := dollars.(pyval.Float)
				if !ok {
					panic(sim.Raise("TypeError", "type "+pyval.TypeName(dollars)+" doesn't define __round__ method"))
				}
				return sim.Answer("exchanged_value", sim.Round(float64(f), 2))
			}
		}
		panic(sim.Raise("ValueError", "No available exchange rate for the given currencies."))
	})},
	// Needs no token.
	{Name: "contact_customer_support", Params: sim.Params("booking_id", "message"), Call: sim.On(func(d *sim.Object, args []pyval.Value) pyval.Value {
		if !sim.Is(args[0], "in", d.Get("booking_record")) {
			return sim.Fail("Booking not found")
		}
		return sim.Answer("customer_support_message", "Thank you for contacting customer support. "+
			"Your message has been received and we will get back to you shortly.")
	})},
	{Name: "get_all_credit_cards", Call: sim.On(func(d *sim.Object, _ []pyval.Value) pyval.Value {
		return sim.Answer("credit_card_list", d.Get("credit_card_list"))
	})},
	{Name: "get_booking_history", Params: sim.Params("access_token"), Call: withToken(func(d *sim.Object, _ []pyval.Value) pyval.Value {
		return sim.Answer("booking_history", d.Get("booking_record"))
	})},
	{Name: "get_budget_fiscal_year", Params: sim.Params("lastModifiedAfter=null", "includeRemoved=null"), Call: sim.On(func(*sim.Object, []pyval.Value) pyval.Value {
		return sim.Answer("budget_fiscal_year", "2018")
	})},
	{Name: "get_credit_card_balance", Params: sim.Params("access_token", "card_id"), Call: withToken(func(d *sim.Object, args []pyval.Value) pyval.Value {
		cards := d.Get("credit_card_list")
		if !sim.Is(args[1], "in", cards) {
			return sim.Fail("Card not registered. Here are a list of card_id's: {}", pyval.NewList(sim.Items(cards)...))
		}
		return sim.Answer("card_balance", sim.At(sim.At(cards, args[1]), "balance"))
	})},
	// Lists the fares of all routes in long-context mode, at the same
	// factors.
	{Name: "get_flight_cost", Params: sim.Params("travel_from", "travel_to", "travel_date", "travel_class"), Call: sim.On(func(d *sim.Object, args []pyval.Value) pyval.Value {
		base, factor := cost(args[0], args[1], args[2], args[3])
		costs := pyval.NewList(pyval.Float(base * factor))
		if d.Long != nil {
			costs = &pyval.List{}
			for _, f := range fares {
				costs.Items = append(costs.Items, pyval.Float(f.cost*factor))
			}
		}
		return sim.Answer("travel_cost_list", costs)
	})},
	{Name: "get_nearest_airport_by_city", Params: sim.Params("location"), Call: sim.On(func(_ *sim.Object, args []pyval.Value) pyval.Value {
		return sim.Answer("nearest_airport", sim.GetOr(nearest, args[0], "Unknown"))
	})},
	{Name: "list_all_airports", Call: sim.On(func(*sim.Object, []pyval.Value) pyval.Value { return airports })},
	// Does not check the card's balance.
	{Name: "purchase_insurance", Params: sim.Params("access_token", "insurance_type", "booking_id", "insurance_cost", "card_id"), Call: sim.On(func(d *sim.Object, args []pyval.Value) pyval.Value {
		booking, cost, card := args[2], args[3], args[4]
		const status = "insurance_status"
		if text := refuse(d, args[0]); text != "" {
			return failed(status, text)
		}
		if limit := d.Get("budget_limit"); limit.Kind() != pyval.KindNone && sim.Is(limit, "<", cost) {
			return failed(status, "Exceeded budget limit")
		}
		if !sim.Is(booking, "in", d.Get("booking_record")) {
			return failed(status, "Booking not found")
		}
		if !sim.Is(card, "in", d.Get("credit_card_list")) {
			return failed(status, "Credit card not registered")
		}
		charge(d, card, "-", cost)
		return sim.Answer("insurance_id", d.Random.ID(100000000, 999999999), "insurance_status", true)
	})},
	// Looks for the number among the cards' ids, so a number can be
	// registered twice.
	{Name: "register_credit_card", Params: sim.Params("access_token", "card_number", "expiration_date", "cardholder_name", "card_verification_number"), Call: sim.On(func(d *sim.Object, args []pyval.Value) pyval.Value {
		if sim.Is(d.Get("token_expires_in"), "==", pyval.None) {
			return sim.Fail("Token not initialized")
		}
		if text := refuse(d, args[0]); text != "" {
			return sim.Fail(text)
		}
		if sim.Is(args[1], "in", d.Get("credit_card_list")) {
			return sim.Fail("Card already registered")
		}
		id := d.Random.ID(100000000000, 999999999999)
		sim.Put(d.Get("credit_card_list"), id, sim.Answer("card_number", args[1], "expiration_date", args[2],
			"cardholder_name", args[3], "card_verification_number", args[4], "balance", pyval.MakeInt(d.Random.Int(10000, 99999))))
		return sim.Answer("card_id", id)
	})},
	{Name: "retrieve_invoice", Params: sim.Params("access_token", "booking_id=null", "insurance_id=null"), Call: withToken(func(d *sim.Object, args []pyval.Value) pyval.Value {
		id := args[1]
		if !sim.Is(id, "in", d.Get("booking_record")) {
			return sim.Fail("Booking not found")
		}
		booking, invoice := sim.At(d.Get("booking_record"), id), sim.Answer("booking_id", id)
		for _, field := range []string{"travel_date", "travel_from", "travel_to", "travel_class", "travel_cost", "transaction_id"} {
			invoice.SetStr(field, sim.At(booking, field))
		}
		return sim.Answer("invoice", invoice)
	})},
	{Name: "set_budget_limit", Params: sim.Params("access_token", "budget_limit"), Call: withToken(func(d *sim.Object, args []pyval.Value) pyval.Value {
		d.Set("budget_limit", sim.Float(args[1]))
		return sim.Answer("budget_limit", d.Get("budget_limit"))
	})},
	{Name: "travel_get_login_status", Call: sim.On(func(d *sim.Object, _ []pyval.Value) pyval.Value {
		expires := d.Get("token_expires_in")
		return sim.Answer("status", sim.Is(expires, "!=", pyval.None) && sim.Is(expires, "!=", 0))
	})},
	{Name: "verify_traveler_information", Params: sim.Params("first_name", "last_name", "date_of_birth", "passport_number"), Call: sim.On(func(d *sim.Object, args []pyval.Value) pyval.Value {
		first, last := d.Get("user_first_name"), d.Get("user_last_name")
		if !pyval.Equal(first, args[0]) || !pyval.Equal(last, args[1]) {
			return unverified(sim.Text("Cannot book flight information for another user.Expected {} {}, got {} {}", first, last, args[0], args[1]))
		}
		born, err := pyval.Try(func() time.Time { return sim.Day.Parse(args[2]) })
		switch {
		case sim.IsClass(err, "ValueError"):
			return unverified("Invalid date of birth format. Please use YYYY-MM-DD.")
		case born.AddDate(18, 0, 0).After(today) && err == nil:
			return unverified("Traveler must be at least 18 years old.")
		}
		pyval.Check(err)
		if !strings.HasPrefix(sim.MustText(args[3], "startswith"), "US") {
			return unverified("Passport must be issued by the United States.")
		}
		return sim.Answer("verification_status", true)
	})},
}}

var defaultsTravel = sim.Table(`{
	"credit_card_list": {}, "booking_record": {},
	"access_token": null, "token_type": null, "token_expires_in": null, "token_scope": null,
	"user_first_name": null, "user_last_name": null, "budget_limit": null
}`)

func openTravel(scenario *pyval.Dict, world *sim.World) sim.Instance {
	d := sim.NewObject(scenario, defaultsTravel, 141053, world)
	d.Set("long_context", world.Long != nil)
	if world.Long != nil {
		pad(d, "credit_card_list", "CREDIT_CARD_EXTENSION")
		pad(d, "booking_record", "BOOKING_RECORD_EXTENSION")
	}
	return d
}

// pad adds the long-context entries whose keys are missing. Upstream puts the
// very same objects into every instance, so all instances of a case share them
// here.
func pad(d *sim.Object, into, name string) {
	shared := d.Shared(name, func() pyval.Value { return pyval.DeepCopy(d.Long.Dict(name)) })
	for key, val := range shared.(*pyval.Dict).All() {
		if dict, ok := d.Get(into).(*pyval.Dict); !ok || !dict.Has(pyval.Text(key)) {
			sim.Put(d.Get(into), key, val)
		}
	}
}

// refuse is what is wrong with a token, or nothing. Before the first login
// the token None is right.
func refuse(d *sim.Object, token pyval.Value) string {
	switch {
	case sim.Is(d.Get("token_expires_in"), "==", 0):
		return "Token expired"
	case !pyval.Equal(d.Get("access_token"), token):
		return "Invalid access token"
	}
	return ""
}

// withToken makes a method that refuses a wrong token, its first argument.
func withToken(f func(d *sim.Object, args []pyval.Value) pyval.Value) func(sim.Instance, []pyval.Value) (pyval.Value, error) {
	return sim.On(func(d *sim.Object, args []pyval.Value) pyval.Value {
		if text := refuse(d, args[0]); text != "" {
			return sim.Fail(text)
		}
		return f(d, args)
	})
}

func unverified(text string) pyval.Value {
	return sim.Answer("verification_status", false, "verification_failure", text)
}

// factors are what a class multiplies a fare by.
var factors = sim.Table(`{"economy": 1, "business": 2, "first": 5}`)

// cost is a route's fare and what class and date multiply it by.
func cost(from, to, date, class pyval.Value) (base, factor int64) {
	sim.Hashable(from)
	sim.Hashable(to)
	f, _ := from.(pyval.Str)
	t, _ := to.(pyval.Str)
	base, ok := fareOf[route{f, t}]
	if !ok {
		panic(sim.Raise("ValueError", "No available route for the given airports."))
	}
	multiple, ok := factors.Get(class)
	if !ok {
		panic(sim.Raise("ValueError", "Invalid travel class. Options are: economy, business, first."))
	}
	factor, _ = multiple.(pyval.Int).Int64()
	even := true
	for _, part := range sim.Items(date) {
		if text := sim.MustText(part, "isdigit"); sim.IsDigit(text) {
			even = even == (pyval.Must(pyval.ToInt(pyval.Str(text))).Big().Bit(0) == 0)
		}
	}
	if even {
		factor *= 2
	}
	return base, factor
}

// charge changes the balance of a card by an amount, whatever is on it.
func charge(d *sim.Object, id pyval.Value, op string, amount pyval.Value) {
	card := sim.At(d.Get("credit_card_list"), id)
	sim.Put(card, "balance", sim.Calc(sim.At(card, "balance"), op, amount))
}

// rates are what a dollar costs.
var rates = sim.Table(`{
	"RMB": 7, "EUR": 0.8, "JPY": 110, "GBP": 0.7, "CAD": 1.3,
	"AUD": 1.4, "INR": 70, "RUB": 60, "BRL": 3.8, "MXN": 20
}`)

// failed is an answer that starts with a status.
func failed(status, text string, values ...any) pyval.Value {
	return sim.Answer(status, false, "error", sim.Text(text, values...))
}

func booked(d *sim.Object, args []pyval.Value, price pyval.Value) pyval.Value {
	charge(d, args[1], "-", price)
	booking, transaction := d.Random.ID(1000000, 9999999), d.Random.ID(10000000, 99999999)
	sim.Put(d.Get("booking_record"), booking, sim.Answer("card_id", args[1], "travel_date", args[2], "travel_from", args[3],
		"travel_to", args[4], "travel_class", args[5], "travel_cost", price, "transaction_id", transaction))
	var history pyval.Value = &pyval.Dict{}
	if d.Long != nil {
		history = d.Get("booking_record")
	}
	return sim.Answer("booking_id", booking, "transaction_id", transaction, "booking_status", true, "booking_history", history)
}
