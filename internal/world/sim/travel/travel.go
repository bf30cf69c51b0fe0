// Package travel is upstream's TravelAPI: flights, credit cards, bookings,
// insurance and exchange rates behind an access token.
package travel

import (
	_ "embed"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

//go:embed travel_booking.json
var doc string

func optional(name string) sim.Param { return sim.Param{Name: name, Default: pyval.None} }

// Class is upstream's TravelAPI.
var Class = &sim.Class{Name: "TravelAPI", DocFile: "travel_booking.json", Doc: doc, New: open, Fields: sim.FieldsOf(defaults, "random_seed"), Methods: []sim.Method{
	{
		Name:   "authenticate_travel",
		Params: sim.Required("client_id", "client_secret", "refresh_token", "grant_type", "user_first_name", "user_last_name"),
		Call:   sim.On((*desk).authenticate),
	},
	{
		Name:   "book_flight",
		Params: sim.Required("access_token", "card_id", "travel_date", "travel_from", "travel_to", "travel_class"),
		Call:   sim.On((*desk).book),
	},
	{Name: "cancel_booking", Params: sim.Required("access_token", "booking_id"), Call: sim.On((*desk).cancel)},
	{Name: "compute_exchange_rate", Params: sim.Required("base_currency", "target_currency", "value"), Call: sim.On((*desk).exchange)},
	{Name: "contact_customer_support", Params: sim.Required("booking_id", "message"), Call: sim.On((*desk).contact)},
	{Name: "get_all_credit_cards", Call: sim.On((*desk).showCards)},
	{Name: "get_booking_history", Params: sim.Required("access_token"), Call: sim.On((*desk).showBookings)},
	{
		Name:   "get_budget_fiscal_year",
		Params: []sim.Param{optional("lastModifiedAfter"), optional("includeRemoved")},
		Call:   sim.On((*desk).showYear),
	},
	{Name: "get_credit_card_balance", Params: sim.Required("access_token", "card_id"), Call: sim.On((*desk).showBalance)},
	{
		Name:   "get_flight_cost",
		Params: sim.Required("travel_from", "travel_to", "travel_date", "travel_class"),
		Call:   sim.On((*desk).showCost),
	},
	{Name: "get_nearest_airport_by_city", Params: sim.Required("location"), Call: sim.On((*desk).showNearest)},
	{Name: "list_all_airports", Call: sim.On((*desk).showAirports)},
	{
		Name:   "purchase_insurance",
		Params: sim.Required("access_token", "insurance_type", "booking_id", "insurance_cost", "card_id"),
		Call:   sim.On((*desk).insure),
	},
	{
		Name:   "register_credit_card",
		Params: sim.Required("access_token", "card_number", "expiration_date", "cardholder_name", "card_verification_number"),
		Call:   sim.On((*desk).register),
	},
	{
		Name:   "retrieve_invoice",
		Params: append(sim.Required("access_token"), optional("booking_id"), optional("insurance_id")),
		Call:   sim.On((*desk).showInvoice),
	},
	{Name: "set_budget_limit", Params: sim.Required("access_token", "budget_limit"), Call: sim.On((*desk).limitBudget)},
	{Name: "travel_get_login_status", Call: sim.On((*desk).showLogin)},
	{
		Name:   "verify_traveler_information",
		Params: sim.Required("first_name", "last_name", "date_of_birth", "passport_number"),
		Call:   sim.On((*desk).verify),
	},
}}

// A desk is one TravelAPI. What a scenario sets can be of any type.
type desk struct {
	cards, bookings       pyval.Value
	token, kind           pyval.Value
	expires               pyval.Value // None before the first login, 0 when over
	scope                 pyval.Value
	firstName, familyName pyval.Value
	budget                pyval.Value // None for no limit
	long                  bool
	random                *sim.Random
}

func open(scenario *pyval.Dict, world *sim.World) (sim.Instance, error) {
	set := func(key string) pyval.Value { return sim.Default(scenario, defaults, key) }
	d := &desk{
		cards:      set("credit_card_list"),
		bookings:   set("booking_record"),
		token:      set("access_token"),
		kind:       set("token_type"),
		expires:    set("token_expires_in"),
		scope:      set("token_scope"),
		firstName:  set("user_first_name"),
		familyName: set("user_last_name"),
		budget:     set("budget_limit"),
		long:       world.Long != nil,
	}
	var err error
	if d.random, err = sim.SeedOf(scenario, 141053); err != nil || !d.long {
		return d, err
	}
	if err := pad(d.cards, world, "CREDIT_CARD_EXTENSION"); err != nil {
		return nil, err
	}
	return d, pad(d.bookings, world, "BOOKING_RECORD_EXTENSION")
}

var defaults = sim.Table(`{
	"credit_card_list": {}, "booking_record": {},
	"access_token": null, "token_type": null, "token_expires_in": null, "token_scope": null,
	"user_first_name": null, "user_last_name": null, "budget_limit": null
}`)

// pad adds the long-context entries whose keys are missing. Upstream puts the
// very same objects into every instance, so all instances of a case share them
// here.
func pad(into pyval.Value, world *sim.World, name string) error {
	d, ok := into.(*pyval.Dict)
	if !ok {
		return sim.Raise("TypeError", "'"+pyval.TypeName(into)+"' object does not support item assignment")
	}
	shared := world.Shared(name, func() pyval.Value { return pyval.DeepCopy(world.Long.Dict(name)) })
	for key, val := range shared.(*pyval.Dict).All() {
		if _, ok := d.Get(key); !ok {
			_ = d.Set(key, val) // keys of a dict are hashable
		}
	}
	return nil
}

var attributes = sim.NewKeys(
	"credit_card_list", "booking_record", "access_token", "token_type", "token_expires_in", "token_scope",
	"user_first_name", "user_last_name", "budget_limit", "long_context",
)

// State implements sim.Instance.
func (d *desk) State() *pyval.Dict {
	return attributes.Record(d.cards, d.bookings, d.token, d.kind, d.expires, d.scope,
		d.firstName, d.familyName, d.budget, pyval.Bool(d.long))
}
