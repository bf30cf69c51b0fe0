package vehicle

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

func (c *car) estimateRange(args []pyval.Value) (pyval.Value, error) {
	miles, err := sim.Times(c.fuel, pyval.Float(milesPerGallon))
	if err != nil {
		return nil, err
	}
	short, err := sim.Less(miles, args[0])
	return sim.Answer("canDrive", pyval.Bool(!short)), err
}

func (c *car) toGallons(args []pyval.Value) (pyval.Value, error) {
	v, err := sim.Scaled(args[0], pyval.Float(gallonsAtLiter))
	return sim.Answer("gallon", v), err
}

func (c *car) toLiters(args []pyval.Value) (pyval.Value, error) {
	v, err := sim.Scaled(args[0], pyval.Float(litersAtGallon))
	return sim.Answer("liter", v), err
}

func (c *car) estimateDistance(args []pyval.Value) (pyval.Value, error) {
	out := sim.Answer("error", pyval.Str("distance not found in database."))
	if km, ok := distance(args[0], args[1]); ok {
		out = sim.Answer("distance", km)
	}
	if c.long != nil {
		out.SetStr("intermediaryCities", c.long.List("INTERMEDIARY_CITIES"))
	}
	return out, nil
}

func distance(from, to pyval.Value) (km pyval.Float, ok bool) {
	a, _ := from.(pyval.Str)
	b, _ := to.(pyval.Str)
	if km, ok = kilometers[way{a, b}]; !ok {
		km, ok = kilometers[way{b, a}]
	}
	return km, ok
}

func (c *car) showZip(args []pyval.Value) (pyval.Value, error) {
	if zip, ok := zips.Get(args[0]); ok {
		return sim.Answer("zipcode", zip), nil
	}
	return sim.Answer("zipcode", pyval.Str("00000")), nil
}

// navigate keeps the destination before it fails on one that is not text.
func (c *car) navigate(args []pyval.Value) (pyval.Value, error) {
	c.destination = args[0]
	status, err := sim.Plus(pyval.Str("Navigating to "), args[0])
	return sim.Answer("status", status), err
}
