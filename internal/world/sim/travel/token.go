package travel

import (
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

var loginFields = []string{"expires_in", "access_token", "token_type", "scope"}

// authenticate accepts any user.
func (d *desk) authenticate(args []pyval.Value) (pyval.Value, error) {
	d.expires = pyval.MakeInt(2)
	d.token = d.random.ID(100000, 999999)
	d.kind = pyval.Str("Bearer")
	d.scope = args[3]
	d.firstName, d.familyName = args[4], args[5]
	return sim.Record(loginFields, d.expires, d.token, d.kind, d.scope), nil
}

func (d *desk) showLogin([]pyval.Value) (pyval.Value, error) {
	out := pyval.Equal(d.expires, pyval.None) || pyval.Equal(d.expires, pyval.MakeInt(0))
	return sim.Answer("status", pyval.Bool(!out)), nil
}

// refuse is what is wrong with a token, or nothing. Before the first login
// the token None is right.
func (d *desk) refuse(token pyval.Value) string {
	switch {
	case pyval.Equal(d.expires, pyval.MakeInt(0)):
		return "Token expired"
	case !pyval.Equal(d.token, token):
		return "Invalid access token"
	}
	return ""
}

// failed is an answer that starts with a status.
func failed(status, text string) pyval.Value {
	return sim.Record([]string{status, "error"}, pyval.Bool(false), pyval.Str(text))
}

func (d *desk) limitBudget(args []pyval.Value) (pyval.Value, error) {
	if text := d.refuse(args[0]); text != "" {
		return sim.Fail(text), nil
	}
	limit, err := sim.Float(args[1])
	if err != nil {
		return nil, err
	}
	d.budget = pyval.Float(limit)
	return sim.Answer("budget_limit", d.budget), nil
}

func (d *desk) showYear([]pyval.Value) (pyval.Value, error) {
	return sim.Answer("budget_fiscal_year", pyval.Str("2018")), nil
}

func (d *desk) verify(args []pyval.Value) (pyval.Value, error) {
	if !pyval.Equal(d.firstName, args[0]) || !pyval.Equal(d.familyName, args[1]) {
		return d.stranger(args[0], args[1])
	}
	born, err := sim.Day.Parse(args[2])
	switch {
	case sim.IsClass(err, "ValueError"):
		return unverified("Invalid date of birth format. Please use YYYY-MM-DD."), nil
	case err != nil:
		return nil, err
	case age(born, today) < 18:
		return unverified("Traveler must be at least 18 years old."), nil
	}
	passport, err := sim.MustText(args[3], "startswith")
	switch {
	case err != nil:
		return nil, err
	case !strings.HasPrefix(passport, "US"):
		return unverified("Passport must be issued by the United States."), nil
	}
	return sim.Answer("verification_status", pyval.Bool(true)), nil
}

// stranger answers for anyone other than the user who is logged in.
func (d *desk) stranger(first, family pyval.Value) (pyval.Value, error) {
	var shown [4]string
	for i, name := range []pyval.Value{d.firstName, d.familyName, first, family} {
		var err error
		if shown[i], err = sim.Text(name); err != nil {
			return nil, err
		}
	}
	return unverified("Cannot book flight information for another user.Expected " +
		shown[0] + " " + shown[1] + ", got " + shown[2] + " " + shown[3]), nil
}

func unverified(text string) pyval.Value {
	return sim.Record([]string{"verification_status", "verification_failure"}, pyval.Bool(false), pyval.Str(text))
}

// age is the number of birthdays up to a day.
func age(born, on time.Time) int {
	years := on.Year() - born.Year()
	if on.Month() < born.Month() || on.Month() == born.Month() && on.Day() < born.Day() {
		years--
	}
	return years
}
