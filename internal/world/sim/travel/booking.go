package travel

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

var (
	bookingFields = []string{"card_id", "travel_date", "travel_from", "travel_to", "travel_class", "travel_cost", "transaction_id"}
	bookedFields  = []string{"booking_id", "transaction_id", "booking_status", "booking_history"}
	invoiceFields = []string{"travel_date", "travel_from", "travel_to", "travel_class", "travel_cost", "transaction_id"}
)

// A flight is what book_flight is asked for.
type flight struct{ token, card, date, from, to, class pyval.Value }

func (d *desk) book(args []pyval.Value) (pyval.Value, error) {
	f := flight{args[0], args[1], args[2], args[3], args[4], args[5]}
	for _, check := range []func(flight) (string, error){d.refuseCard, refuseAirports, refuseDay} {
		if text, err := check(f); err != nil || text != "" {
			return failed("booking_status", text), err
		}
	}
	base, factor, err := cost(f.from, f.to, f.date, f.class)
	if sim.IsClass(err, "ValueError") {
		return failed("booking_status", sim.AsException(err).Msg), nil
	}
	if err != nil {
		return nil, err
	}
	price := pyval.Float(base * factor)
	if text, err := d.refuseCost(f.card, price); err != nil || text != "" {
		return failed("booking_status", text), err
	}
	return d.booked(f, price)
}

func (d *desk) refuseCard(f flight) (string, error) {
	if text := d.refuse(f.token); text != "" {
		return text, nil
	}
	if known, err := pyval.Contains(d.cards, f.card); err != nil || !known {
		return "Card not registered", err
	}
	card, err := pyval.Subscript(d.cards, f.card)
	if err != nil {
		return "", err
	}
	if has, err := pyval.Contains(card, pyval.Str("balance")); err != nil || !has {
		return "Balance not found", err
	}
	return "", nil
}

func refuseAirports(f flight) (string, error) {
	for _, end := range []struct {
		name string
		code pyval.Value
	}{{"departure", f.from}, {"destination", f.to}} {
		known, err := pyval.Contains(airports, end.code)
		if err != nil {
			return "", err
		}
		if !known {
			code, err := sim.Text(end.code)
			return "Invalid " + end.name + " airport code: " + code, err
		}
	}
	return "", nil
}

// refuseDay also looks at the class. Upstream shows the classes in the order
// of a Python set, which varies from process to process.
func refuseDay(f flight) (string, error) {
	if _, err := sim.Day.Parse(f.date); sim.IsClass(err, "ValueError") {
		return "Invalid date format. Use YYYY-MM-DD.", nil
	} else if err != nil {
		return "", err
	}
	if err := pyval.Hashable(f.class); err != nil {
		return "", sim.Raise("TypeError", err.Error())
	}
	if _, err := classFactor(f.class); err != nil {
		return "Invalid travel class. Must be one of {'economy', 'business', 'first'}", nil
	}
	return "", nil
}

// refuseCost compares the balance, not the cost, with the budget limit.
func (d *desk) refuseCost(id, cost pyval.Value) (string, error) {
	card, err := pyval.Subscript(d.cards, id)
	if err != nil {
		return "", err
	}
	balance, err := sim.Entry(card, "balance")
	if err != nil {
		return "", err
	}
	if short, err := sim.Less(balance, cost); err != nil || short {
		return "Insufficient funds", err
	}
	if pyval.Equal(d.budget, pyval.None) {
		return "", nil
	}
	if short, err := sim.Less(balance, d.budget); err != nil || short {
		return "Balance is less than budget limit", err
	}
	return "", nil
}

func (d *desk) booked(f flight, cost pyval.Value) (pyval.Value, error) {
	if err := d.charge(f.card, cost, sim.Minus); err != nil {
		return nil, err
	}
	booking := d.random.ID(1000000, 9999999)
	transaction := d.random.ID(10000000, 99999999)
	record := sim.Record(bookingFields, f.card, f.date, f.from, f.to, f.class, cost, transaction)
	if err := sim.Set(d.bookings, booking, record); err != nil {
		return nil, err
	}
	var history pyval.Value = &pyval.Dict{}
	if d.long {
		history = d.bookings
	}
	return sim.Record(bookedFields, booking, transaction, pyval.Bool(true), history), nil
}

func (d *desk) showBookings(args []pyval.Value) (pyval.Value, error) {
	if text := d.refuse(args[0]); text != "" {
		return sim.Fail(text), nil
	}
	return sim.Answer("booking_history", d.bookings), nil
}

func (d *desk) showInvoice(args []pyval.Value) (pyval.Value, error) {
	if text := d.refuse(args[0]); text != "" {
		return sim.Fail(text), nil
	}
	id := args[1]
	if known, err := pyval.Contains(d.bookings, id); err != nil || !known {
		return sim.Fail("Booking not found"), err
	}
	booking, err := pyval.Subscript(d.bookings, id)
	if err != nil {
		return nil, err
	}
	invoice := sim.Answer("booking_id", id)
	for _, field := range invoiceFields {
		v, err := sim.Entry(booking, field)
		if err != nil {
			return nil, err
		}
		invoice.SetStr(field, v)
	}
	return sim.Answer("invoice", invoice), nil
}

// cancel gives the cost back to the card.
func (d *desk) cancel(args []pyval.Value) (pyval.Value, error) {
	if text := d.refuse(args[0]); text != "" {
		return failed("cancel_status", text), nil
	}
	id := args[1]
	if known, err := pyval.Contains(d.bookings, id); err != nil || !known {
		return failed("cancel_status", "Booking not found"), err
	}
	booking, err := pyval.Subscript(d.bookings, id)
	if err != nil {
		return nil, err
	}
	card, err := sim.Entry(booking, "card_id")
	if err != nil {
		return nil, err
	}
	cost, err := sim.Entry(booking, "travel_cost")
	if err != nil {
		return nil, err
	}
	if err := d.charge(card, cost, sim.Plus); err != nil {
		return nil, err
	}
	if bookings, ok := d.bookings.(*pyval.Dict); ok {
		bookings.Delete(id)
	}
	return sim.Answer("cancel_status", pyval.Bool(true)), nil
}

// contact needs no token.
func (d *desk) contact(args []pyval.Value) (pyval.Value, error) {
	if known, err := pyval.Contains(d.bookings, args[0]); err != nil || !known {
		return sim.Fail("Booking not found"), err
	}
	return sim.Answer("customer_support_message", pyval.Str("Thank you for contacting customer support. "+
		"Your message has been received and we will get back to you shortly.")), nil
}
