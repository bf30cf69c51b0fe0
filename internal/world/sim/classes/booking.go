package classes

import (
	"time"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// failed is an answer that starts with a status.
func failed(status, text string, values ...any) pyval.Value {
	return sim.Answer(status, false, "error", sim.Text(text, values...))
}

// book refuses by the balance, not the cost, when it looks at the budget limit.
// Upstream shows the classes in the order of a Python set, which varies from
// process to process.
func book(d *sim.Object, args []pyval.Value) pyval.Value {
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

func showBookings(d *sim.Object, _ []pyval.Value) pyval.Value {
	return sim.Answer("booking_history", d.Get("booking_record"))
}

func showInvoice(d *sim.Object, args []pyval.Value) pyval.Value {
	id := args[1]
	if !sim.Is(id, "in", d.Get("booking_record")) {
		return sim.Fail("Booking not found")
	}
	booking, invoice := sim.At(d.Get("booking_record"), id), sim.Answer("booking_id", id)
	for _, field := range []string{"travel_date", "travel_from", "travel_to", "travel_class", "travel_cost", "transaction_id"} {
		invoice.SetStr(field, sim.At(booking, field))
	}
	return sim.Answer("invoice", invoice)
}

// cancelTravel gives the cost back to the card.
func cancelTravel(d *sim.Object, args []pyval.Value) pyval.Value {
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
}

// contact needs no token.
func contact(d *sim.Object, args []pyval.Value) pyval.Value {
	if !sim.Is(args[0], "in", d.Get("booking_record")) {
		return sim.Fail("Booking not found")
	}
	return sim.Answer("customer_support_message", "Thank you for contacting customer support. "+
		"Your message has been received and we will get back to you shortly.")
}

// insure does not check the card's balance.
func insure(d *sim.Object, args []pyval.Value) pyval.Value {
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
}
