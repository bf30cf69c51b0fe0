package trading

import (
	"time"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

var transactionFields = []string{"type", "amount", "timestamp"}

func (b *bot) showAccount([]pyval.Value) (pyval.Value, error) {
	if !pyval.Truth(b.logged) {
		return sim.Fail("User not authenticated. Please log in to view account information."), nil
	}
	return b.account, nil
}

func (b *bot) showLogin([]pyval.Value) (pyval.Value, error) {
	return sim.Answer("status", b.logged), nil
}

// login accepts any user.
func (b *bot) login([]pyval.Value) (pyval.Value, error) {
	if pyval.Truth(b.logged) {
		return sim.Answer("status", pyval.Str("Already logged in")), nil
	}
	b.logged = pyval.Bool(true)
	return sim.Answer("status", pyval.Str("Logged in successfully")), nil
}

func (b *bot) logout([]pyval.Value) (pyval.Value, error) {
	if !pyval.Truth(b.logged) {
		return sim.Answer("status", pyval.Str("No user is currently logged in")), nil
	}
	b.logged = pyval.Bool(false)
	return sim.Answer("status", pyval.Str("Logged out successfully")), nil
}

// fund is possible while the market is closed.
func (b *bot) fund(args []pyval.Value) (pyval.Value, error) {
	if !pyval.Truth(b.logged) {
		return sim.Fail("User not authenticated. Please log in to fund the account."), nil
	}
	none, err := sim.LessEqual(args[0], pyval.MakeInt(0))
	switch {
	case err != nil:
		return nil, err
	case none:
		return sim.Fail("Funding amount must be positive."), nil
	}
	return b.transact("deposit", args[0], sim.Plus, "Account funded successfully")
}

func (b *bot) withdraw(args []pyval.Value) (pyval.Value, error) {
	if !pyval.Truth(b.logged) {
		return sim.Fail("User not authenticated. Please log in to make a transaction."), nil
	}
	if !pyval.Equal(b.market, pyval.Str("Open")) {
		return sim.Fail("Market is closed. Transactions are not allowed."), nil
	}
	none, err := sim.LessEqual(args[0], pyval.MakeInt(0))
	switch {
	case err != nil:
		return nil, err
	case none:
		return sim.Fail("Transaction amount must be positive."), nil
	}
	balance, err := sim.Entry(b.account, "balance")
	if err != nil {
		return nil, err
	}
	over, err := sim.Greater(args[0], balance)
	switch {
	case err != nil:
		return nil, err
	case over:
		return sim.Fail("Insufficient funds for withdrawal."), nil
	}
	return b.transact("withdrawal", args[0], sim.Minus, "Withdrawal successful")
}

// transact changes the balance and appends to the history.
func (b *bot) transact(kind string, amount pyval.Value, change func(a, b pyval.Value) (pyval.Value, error), status string) (pyval.Value, error) {
	balance, err := sim.Entry(b.account, "balance")
	if err != nil {
		return nil, err
	}
	if balance, err = change(balance, amount); err != nil {
		return nil, err
	}
	if err := sim.SetEntry(b.account, "balance", balance); err != nil {
		return nil, err
	}
	row := sim.Record(transactionFields, pyval.Str(kind), amount, b.timestamp())
	if err := sim.Append(b.history, row); err != nil {
		return nil, err
	}
	return sim.Record([]string{"status", "new_balance"}, pyval.Str(status), balance), nil
}

// timestamp draws a moment within a day from now.
func (b *bot) timestamp() pyval.Str {
	const day = 24 * 60 * 60
	return pyval.Str(now.Add(time.Duration(b.random.Int(0, day)) * time.Second).Format(time.DateTime))
}

// showHistory keeps the transactions between two days, the second at its
// first moment. The long-context rows are added unfiltered.
func (b *bot) showHistory(args []pyval.Value) (pyval.Value, error) {
	if !pyval.Truth(b.logged) {
		return pyval.NewList(sim.Fail("User not authenticated. Please log in to view transaction history.")), nil
	}
	first, err := dayOr(args[0], time.Time{})
	if err != nil {
		return nil, err
	}
	last, err := dayOr(args[1], endOfTime)
	if err != nil {
		return nil, err
	}
	kept, err := b.between(first, last)
	if err != nil {
		return nil, err
	}
	if b.long != nil {
		kept = extended(kept, b.long.List("TRANSACTION_HISTORY_EXTENSION"))
	}
	return sim.Answer("transaction_history", kept), nil
}

func dayOr(v pyval.Value, open time.Time) (time.Time, error) {
	if !pyval.Truth(v) {
		return open, nil
	}
	return sim.Day.Parse(v)
}

func (b *bot) between(first, last time.Time) (*pyval.List, error) {
	items, err := pyval.Iterate(b.history)
	if err != nil {
		return nil, err
	}
	kept := &pyval.List{}
	for _, item := range items {
		stamp, err := sim.Entry(item, "timestamp")
		if err != nil {
			return nil, err
		}
		at, err := sim.Moment.Parse(stamp)
		if err != nil {
			return nil, err
		}
		if !at.Before(first) && !at.After(last) {
			kept.Items = append(kept.Items, item)
		}
	}
	return kept, nil
}
