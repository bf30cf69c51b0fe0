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
	{Name: "authenticate_travel", Call: sim.On(authenticateTravel), Params: sim.Params(
		"client_id", "client_secret", "refresh_token", "grant_type", "user_first_name", "user_last_name")},
	{Name: "book_flight", Call: sim.On(book), Params: sim.Params(
		"access_token", "card_id", "travel_date", "travel_from", "travel_to", "travel_class")},
	{Name: "cancel_booking", Params: sim.Params("access_token", "booking_id"), Call: sim.On(cancelTravel)},
	{Name: "compute_exchange_rate", Params: sim.Params("base_currency", "target_currency", "value"), Call: sim.On(exchange)},
	{Name: "contact_customer_support", Params: sim.Params("booking_id", "message"), Call: sim.On(contact)},
	{Name: "get_all_credit_cards", Call: sim.On(showCards)},
	{Name: "get_booking_history", Params: sim.Params("access_token"), Call: withToken(showBookings)},
	{Name: "get_budget_fiscal_year", Params: sim.Params("lastModifiedAfter=null", "includeRemoved=null"), Call: sim.On(showYear)},
	{Name: "get_credit_card_balance", Params: sim.Params("access_token", "card_id"), Call: withToken(showBalance)},
	{Name: "get_flight_cost", Params: sim.Params("travel_from", "travel_to", "travel_date", "travel_class"), Call: sim.On(showCost)},
	{Name: "get_nearest_airport_by_city", Params: sim.Params("location"), Call: sim.On(showNearest)},
	{Name: "list_all_airports", Call: sim.On(showAirports)},
	{Name: "purchase_insurance", Call: sim.On(insure), Params: sim.Params(
		"access_token", "insurance_type", "booking_id", "insurance_cost", "card_id")},
	{Name: "register_credit_card", Call: sim.On(register), Params: sim.Params(
		"access_token", "card_number", "expiration_date", "cardholder_name", "card_verification_number")},
	{Name: "retrieve_invoice", Params: sim.Params("access_token", "booking_id=null", "insurance_id=null"), Call: withToken(showInvoice)},
	{Name: "set_budget_limit", Params: sim.Params("access_token", "budget_limit"), Call: withToken(limitBudget)},
	{Name: "travel_get_login_status", Call: sim.On(showLoginTravel)},
	{Name: "verify_traveler_information", Call: sim.On(verify), Params: sim.Params(
		"first_name", "last_name", "date_of_birth", "passport_number")},
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

// authenticateTravel accepts any user.
func authenticateTravel(d *sim.Object, args []pyval.Value) pyval.Value {
	d.Set("token_expires_in", 2)
	d.Set("access_token", d.Random.ID(100000, 999999))
	d.Set("token_type", "Bearer")
	d.Set("token_scope", args[3])
	d.Set("user_first_name", args[4])
	d.Set("user_last_name", args[5])
	return sim.Answer("expires_in", 2, "access_token", d.Get("access_token"), "token_type", "Bearer", "scope", args[3])
}

func showLoginTravel(d *sim.Object, _ []pyval.Value) pyval.Value {
	expires := d.Get("token_expires_in")
	return sim.Answer("status", sim.Is(expires, "!=", pyval.None) && sim.Is(expires, "!=", 0))
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

func limitBudget(d *sim.Object, args []pyval.Value) pyval.Value {
	d.Set("budget_limit", sim.Float(args[1]))
	return sim.Answer("budget_limit", d.Get("budget_limit"))
}

func showYear(*sim.Object, []pyval.Value) pyval.Value {
	return sim.Answer("budget_fiscal_year", "2018")
}

func verify(d *sim.Object, args []pyval.Value) pyval.Value {
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
}

func unverified(text string) pyval.Value {
	return sim.Answer("verification_status", false, "verification_failure", text)
}
