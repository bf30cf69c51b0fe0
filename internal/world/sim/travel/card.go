package travel

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

var cardFields = []string{"card_number", "expiration_date", "cardholder_name", "card_verification_number", "balance"}

func (d *desk) showCards([]pyval.Value) (pyval.Value, error) {
	return sim.Answer("credit_card_list", d.cards), nil
}

// register looks for the number among the cards' ids, so a number can be
// registered twice.
func (d *desk) register(args []pyval.Value) (pyval.Value, error) {
	if pyval.Equal(d.expires, pyval.None) {
		return sim.Fail("Token not initialized"), nil
	}
	if text := d.refuse(args[0]); text != "" {
		return sim.Fail(text), nil
	}
	known, err := pyval.Contains(d.cards, args[1])
	switch {
	case err != nil:
		return nil, err
	case known:
		return sim.Fail("Card already registered"), nil
	}
	id := d.random.ID(100000000000, 999999999999)
	balance := pyval.MakeInt(d.random.Int(10000, 99999))
	card := sim.Record(cardFields, args[1], args[2], args[3], args[4], balance)
	if err := sim.Set(d.cards, id, card); err != nil {
		return nil, err
	}
	return sim.Answer("card_id", id), nil
}

func (d *desk) showBalance(args []pyval.Value) (pyval.Value, error) {
	if text := d.refuse(args[0]); text != "" {
		return sim.Fail(text), nil
	}
	known, err := pyval.Contains(d.cards, args[1])
	switch {
	case err != nil:
		return nil, err
	case !known:
		return d.unknownCard()
	}
	card, err := pyval.Subscript(d.cards, args[1])
	if err != nil {
		return nil, err
	}
	balance, err := sim.Entry(card, "balance")
	return sim.Answer("card_balance", balance), err
}

func (d *desk) unknownCard() (pyval.Value, error) {
	ids, err := pyval.Iterate(d.cards)
	if err != nil {
		return nil, err
	}
	return sim.FailOn("Card not registered. Here are a list of card_id's: ", pyval.NewList(ids...), "")
}

// charge changes the balance of a card by an amount, whatever is on it.
func (d *desk) charge(id, amount pyval.Value, change func(a, b pyval.Value) (pyval.Value, error)) error {
	card, err := pyval.Subscript(d.cards, id)
	if err != nil {
		return err
	}
	balance, err := sim.Entry(card, "balance")
	if err != nil {
		return err
	}
	if balance, err = change(balance, amount); err != nil {
		return err
	}
	return sim.SetEntry(card, "balance", balance)
}

func (d *desk) insure(args []pyval.Value) (pyval.Value, error) {
	booking, cost, card := args[2], args[3], args[4]
	text, err := d.refuseInsurance(args[0], booking, cost, card)
	if err != nil {
		return nil, err
	}
	if text != "" {
		return failed("insurance_status", text), nil
	}
	if err := d.charge(card, cost, sim.Minus); err != nil {
		return nil, err
	}
	id := d.random.ID(100000000, 999999999)
	return sim.Record([]string{"insurance_id", "insurance_status"}, id, pyval.Bool(true)), nil
}

// refuseInsurance is why an insurance is refused, or nothing. The card's
// balance is not checked.
func (d *desk) refuseInsurance(token, booking, cost, card pyval.Value) (string, error) {
	if text := d.refuse(token); text != "" {
		return text, nil
	}
	if !pyval.Equal(d.budget, pyval.None) {
		if over, err := sim.Less(d.budget, cost); err != nil || over {
			return "Exceeded budget limit", err
		}
	}
	if known, err := pyval.Contains(d.bookings, booking); err != nil || !known {
		return "Booking not found", err
	}
	if known, err := pyval.Contains(d.cards, card); err != nil || !known {
		return "Credit card not registered", err
	}
	return "", nil
}

func (d *desk) exchange(args []pyval.Value) (pyval.Value, error) {
	base, target, value := args[0], args[1], args[2]
	dollar := pyval.Str("USD")
	for currency, rate := range rates.All() {
		switch {
		case pyval.Equal(base, dollar) && pyval.Equal(target, currency):
			return dollars(value, rate)
		case pyval.Equal(base, currency) && pyval.Equal(target, dollar):
			return toDollars(value, rate)
		}
	}
	return nil, sim.Raise("ValueError", "No available exchange rate for the given currencies.")
}

func dollars(value, rate pyval.Value) (pyval.Value, error) {
	v, err := sim.Scaled(value, rate)
	if err != nil {
		return nil, err
	}
	f, err := sim.Float(v)
	return sim.Answer("exchanged_value", pyval.Float(f)), err
}

func toDollars(value, rate pyval.Value) (pyval.Value, error) {
	v, err := sim.Divided(value, rate)
	if err != nil {
		return nil, err
	}
	f, ok := v.(pyval.Float)
	if !ok {
		return nil, sim.Raise("TypeError", "type "+pyval.TypeName(v)+" doesn't define __round__ method")
	}
	return sim.Answer("exchanged_value", pyval.Float(sim.Round(float64(f), 2))), nil
}
