package classes

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

func showCards(d *sim.Object, _ []pyval.Value) pyval.Value {
	return sim.Answer("credit_card_list", d.Get("credit_card_list"))
}

// register looks for the number among the cards' ids, so a number can be
// registered twice.
func register(d *sim.Object, args []pyval.Value) pyval.Value {
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
}

func showBalance(d *sim.Object, args []pyval.Value) pyval.Value {
	cards := d.Get("credit_card_list")
	if !sim.Is(args[1], "in", cards) {
		return sim.Fail("Card not registered. Here are a list of card_id's: {}", pyval.NewList(sim.Items(cards)...))
	}
	return sim.Answer("card_balance", sim.At(sim.At(cards, args[1]), "balance"))
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

func exchange(_ *sim.Object, args []pyval.Value) pyval.Value {
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
}
