package provider

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// piecesOf reads pieces from a short notation: index, id, name and arguments, with
// "-" for a field that is missing.
func piecesOf(t testing.TB, lines string) []Piece {
	t.Helper()
	var out []Piece
	for line := range strings.SplitSeq(lines, "\n") {
		parts := strings.SplitN(strings.TrimSpace(line), " ", 4)
		if len(parts) < 3 {
			t.Fatalf("no piece: %q", line)
		}
		for i := range parts {
			if parts[i] == "-" {
				parts[i] = ""
			}
		}
		p := Piece{ID: parts[1], Name: parts[2]}
		if n, err := pyval.IntFromText(parts[0]); err == nil {
			p.Index = n
		}
		if len(parts) > 3 {
			p.Arguments = parts[3]
		}
		out = append(out, p)
	}
	return out
}

func assembled(pieces []Piece) string {
	var c Calls
	for _, p := range pieces {
		c.Add(p)
	}
	made, err := c.Finish()
	if err != nil {
		return err.Error()
	}
	var out []string
	for _, call := range made {
		out = append(out, call.Name+strings.ReplaceAll(Arguments(call.Arguments()), " ", ""))
	}
	return strings.Join(out, " ")
}

// TestCalls reads pieces as servers write them.
func TestCalls(t *testing.T) {
	for _, c := range []struct{ name, pieces, want string }{
		{"by index", "0 a f -\n0 - - {\"x\n1 b g {\"y\"\n0 - - \":1}\n1 - - :2}", `f{"x":1} g{"y":2}`},
		{"arguments at the next index", "0 a f -\n0 - - {\"x\":1}\n0 b f -\n1 - - {\"x\":2}", `f{"x":1} f{"x":2}`},
		{"arguments at the next index, three", "0 a f -\n1 - - {\"x\":1}\n1 b f -\n2 - - {\"x\":2}\n2 c g -\n3 - - {\"x\":3}", `f{"x":1} f{"x":2} g{"x":3}`},
		{"arguments at index 0", "0 a f -\n0 - - {\"x\":1}\n1 b f -\n0 - - {\"x\"\n0 - - :2}", `f{"x":1} f{"x":2}`},
		{"a brace at the next index", "0 a f {\"x\":1\n1 - - }", `f{"x":1}`},
		{"a brace at the next index, two calls", "0 a f {\"x\":1\n1 - - }\n1 b f {\"x\":2\n2 - - }", `f{"x":1} f{"x":2}`},
		{"one index, no ids", "0 - f {\"x\":1}\n0 - f {\"x\":2}\n0 - g {}", `f{"x":1} f{"x":2} g{}`},
		{"one index, no ids, in pieces", "0 - f -\n0 - - {\"x\"\n0 - - :1}\n0 - f -\n0 - - {\"x\":2}\n0 - g -\n0 - - {}", `f{"x":1} f{"x":2} g{}`},
		{"one id", "0 a f {\"x\":1}\n0 a f {\"x\":2}\n0 a g {}", `f{"x":1} f{"x":2} g{}`},
		{"one id, with indexes", "0 a f -\n0 a - {\"x\":1}\n1 a g -\n1 a - {\"x\":2}", `f{"x":1} g{"x":2}`},
		{"one index, ids", "0 a f {\"x\":1}\n0 b f {\"x\":2}", `f{"x":1} f{"x":2}`},
		{"one index, the id first", "0 a - -\n0 - f -\n0 - - {\"x\":1}\n0 b - -\n0 - f -\n0 - - {\"x\":2}", `f{"x":1} f{"x":2}`},
		{"one index, calls without arguments", "0 a f -\n0 b - -\n0 - g -", `f g`},
		{"no index", "- a f -\n- - - {\"x\"\n- - - :1}\n- b f {\"x\":2}", `f{"x":1} f{"x":2}`},
		{"no index and no ids", "- - f -\n- - - {\"x\":1}\n- - f {\"x\":2}\n- - g -", `f{"x":1} f{"x":2} g`},
		{"the name again with each piece", "0 a f {\"x\"\n0 a f :1}\n1 b f {\"x\"\n1 b f :2}", `f{"x":1} f{"x":2}`},
		{"the name again, no ids", "0 - f {\"x\"\n0 - f :1}\n0 - f {\"x\":\n0 - f 2}\n0 - f -", `f{"x":1} f{"x":2}`},
		{"an id of its own for each piece", "0 a f {\"x\"\n0 b - :1}\n0 c - -", `f{"x":1}`},
		{"an id of its own for each piece, with the name", "0 a f {\"x\"\n0 b f :1}", `f{"x":1}`},
		{"an index of its own for each piece", "0 a f {\"x\"\n1 a f :1}\n2 b g {\n3 b g }", `f{"x":1} g{}`},
		{"a late name", "0 a - {\"x\":1}\n0 - f -\n0 b - {\"x\":2}\n0 - g -", `f{"x":1} g{"x":2}`},
		{"late names", "0 a - {\"x\":1}\n1 b - {\"x\":2}\n0 - f -\n1 - g -", `f{"x":1} g{"x":2}`},
		{"a late id", "0 - f {\"x\"\n0 a - :1}", `f{"x":1}`},
		{"a name in pieces", "0 a get_ -\n0 - lamp -\n0 - - {}", `get_lamp{}`},
		{"a name in pieces, each with the id", "0 a get_ -\n0 a lamp -\n0 a - {}", `get_lamp{}`},
		{"a name that grows", "0 a get_ -\n0 a get_lamp -\n0 - - {}", `get_lamp{}`},
		{"a call again when it is whole", "0 a f {\"x\"\n0 - - :1}\n0 a f {\"x\":1}", `f{"x":1}`},
		{"{} before the arguments", "0 a f {}\n0 - - {\"x\"\n0 - - :1}\n1 b f {}\n1 - - {\"x\":2}", `f{"x":1} f{"x":2}`},
		{"{} in the same piece", "0 a f {}{\"x\":1}", `f{"x":1}`},
		{"the model broke off", "0 - f {\"x\": 1\n0 - f {\"x\":2}", `f{"x":1 f{"x":2}`},
		{"white space behind", "0 a f {\"x\":1}\n0 - -  ", `f{"x":1}`},
		{"a brace too much", "0 a f {\"x\":1}\n0 - - }", `f{"x":1}}`},
		{"null", "0 a f null\n1 b g null", `fnull gnull`},
		{"brackets in texts", "0 a f {\"x\":\"}{\\\"\n0 - - }{\"}", `f{"x":"}{\"}{"}`},

		{"another object without a name", "0 a f {\"x\":1}\n0 - - {\"x\":2}", `bad_reply: the stream's call 1, of "f", holds arguments of several calls: nothing says which functions the others belong to: "'{\"x\":1}{\"x\":2}'"`},
		{"two objects in a piece", "0 a f {\"x\":1}{\"x\":2}", `bad_reply: the stream's call 1, of "f", holds arguments of several calls: nothing says which functions the others belong to: "'{\"x\":1}{\"x\":2}'"`},
		{"no name", "0 a - {\"x\":1}", `bad_reply: the stream's call 1 has no name: nothing says which function the pieces "'{\"x\":1}'" belong to`},
		{"no name for the second", "0 a f {}\n1 b - {\"x\":1}", `bad_reply: the stream's call 2 has no name: nothing says which function the pieces "'{\"x\":1}'" belong to`},
		{"nothing", "0 - -", `bad_reply: the stream announces a call and sends none of it`},
	} {
		assert.Equal(t, c.want, assembled(piecesOf(t, c.pieces)), c.name)
	}
}

// A sender is a way to send calls: what it gives each piece beside the arguments.
type sender struct{ index, id, name, arguments, order int }

// The ways are one each per field of a sender. With those of certain no two
// calls can be told apart for sure, and the order must be that of the calls.
var (
	indexWays = []string{"its own", "0", "missing", "the number of the piece", "its own, arguments at the next", "its own, the last brace at the next", "from 3", "arguments at 0"}
	idWays    = []string{"first", "each", "none", "behind the name", "one for all", "another with each piece"}
	nameWays  = []string{"first", "each", "behind the first arguments", "in two pieces", "behind the id", "growing"}
	argWays   = []string{"one piece", "pieces", "with the head", "{} before", "as an object", "whole again at the end"}
)

func (s sender) String() string {
	return fmt.Sprintf("index %s; id %s; name %s; arguments %s; mixed %d", indexWays[s.index], idWays[s.id], nameWays[s.name], argWays[s.arguments], s.order)
}

// pieces returns a call's pieces, without index.
func (s sender) pieces(r *rand.Rand, id, name, args string) []Piece {
	var parts []string
	switch rest := args; s.arguments {
	case 1, 5:
		for len(rest) > 0 {
			n := 1 + r.IntN(len(rest))
			parts, rest = append(parts, rest[:n]), rest[n:]
		}
	default:
		parts = []string{args}
	}
	var out []Piece
	switch s.name {
	case 0, 1:
		out = []Piece{{ID: id, Name: name}}
	case 2:
		out = []Piece{{ID: id}}
	case 3:
		out = []Piece{{ID: id, Name: name[:2]}, {Name: name[2:]}}
	case 4:
		out = []Piece{{ID: id}, {Name: name}}
	case 5:
		out = []Piece{{ID: id, Name: name[:2]}, {Name: name}}
	}
	if s.arguments == 3 {
		out[len(out)-1].Arguments = "{}"
	}
	for i, part := range parts {
		p := Piece{Arguments: part}
		if s.arguments == 4 {
			p.Read, _ = pyval.ParseJSON(part)
			p.Arguments = ""
		}
		if i == 0 && (s.arguments == 2 || s.arguments == 4) {
			last := &out[len(out)-1]
			last.Arguments, last.Read = p.Arguments, p.Read
			continue
		}
		out = append(out, p)
	}
	if s.name == 2 {
		out = append(out, Piece{Name: name})
	}
	if s.arguments == 5 {
		out = append(out, Piece{ID: id, Name: name, Arguments: args})
	}
	for i := range out {
		p := &out[i]
		switch s.id {
		case 1:
			p.ID = id
		case 2:
			p.ID = ""
		case 3:
			if p.ID = ""; i == 1 {
				p.ID = id
			}
		case 4:
			if p.ID != "" {
				p.ID = "call_0"
			}
		case 5:
			p.ID = fmt.Sprint(id, i)
		}
		if s.name == 1 {
			p.Name = name
		}
	}
	return slices.DeleteFunc(out, func(p Piece) bool { return p.ID == "" && p.Name == "" && p.bare() })
}

// number gives the pieces of call n their index.
func (s sender) number(pieces []Piece, n int, sent *int64) {
	for i := range pieces {
		p, at := &pieces[i], int64(n)
		head := p.bare() || p.Name != ""
		switch s.index {
		case 1:
			at = 0
		case 2:
			continue
		case 3:
			at = *sent
			*sent++
		case 4:
			if !head {
				at++
			}
		case 5:
			if last := i == len(pieces)-1; last && !head && strings.Trim(p.Arguments, "}") == "" {
				at++
			}
		case 6:
			at = int64(3 + 2*n)
		case 7:
			if !head {
				at = 0
			}
		}
		p.Index = pyval.MakeInt(at)
	}
}

// FuzzCalls draws servers and the calls that they mean: what is assembled is
// these calls or an error, and it is these calls where something tells each piece's
// call.
func FuzzCalls(f *testing.F) {
	for seed := range uint64(400) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { drawCalls(t, seed) })
}

// TestDrawnCalls counts what becomes of drawn streams.
func TestDrawnCalls(t *testing.T) {
	const draws = 20_000
	refused := 0
	for seed := range uint64(draws) {
		if !drawCalls(t, seed) {
			refused++
		}
	}
	t.Logf("%d drawn streams: %d read as meant, %d refused", draws, draws-refused, refused)
	assert.Less(t, refused, draws/10, "refusals are the exception")
}

// drawCalls reports whether a drawn stream was read; it must then be as meant.
func drawCalls(t *testing.T, seed uint64) bool {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	var s sender
	for ok := false; !ok; ok = s.definite() {
		s = sender{r.IntN(len(indexWays)), r.IntN(len(idWays)), r.IntN(len(nameWays)), r.IntN(len(argWays)), r.IntN(2)}
	}
	names, values := []string{"find", "get_lamp", "send"}, []string{`{"x":1}`, `{"y":{"z":[{}]}}`, `{"t":"a}{\"b"}`, `{"x":2}`}
	var want []string
	var each [][]Piece
	sent := int64(0)
	r.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
	for n := range 1 + r.IntN(3) {
		name, args := names[r.IntN(len(names))], values[n]
		want = append(want, name+args)
		pieces := s.pieces(r, fmt.Sprintf("id%d", n), name, args)
		s.number(pieces, n, &sent)
		each = append(each, pieces)
	}
	pieces := slices.Concat(each...)
	if s.order == 1 {
		pieces = mixed(r, each)
	}
	var c Calls
	for _, p := range pieces {
		c.Add(p)
	}
	made, err := c.Finish()
	if err != nil {
		assert.Equal(t, "bad_reply", eval.InfraKind(err))
		assert.False(t, s.certain(), "seed %d: refused: %v\n%v\n%v", seed, err, s, shownPieces(pieces))
		return false
	}
	var got []string
	for _, call := range made {
		got = append(got, call.Name+strings.ReplaceAll(Arguments(call.Arguments()), " ", ""))
	}
	assert.Equal(t, want, got, "seed %d: %v\n%v", seed, s, shownPieces(pieces))
	return true
}

// definite reports whether no other sender sends the same pieces for other calls.
func (s sender) definite() bool {
	whole := s.name < 2                                    // the name comes whole with the head
	lone := s.id == 0 || s.id == 1                         // an id is one call's
	counts := s.index == 0 || s.index == 1 || s.index == 6 // pieces of a head share an index
	switch {
	case s.order == 1:
		return whole && s.arguments < 5 && s.arguments != 3 && (s.index == 0 || s.index == 6) && s.id < 3 || whole && s.id == 1 && s.index < 3 && s.arguments < 3
	case s.index == 3:
		return s.name == 0 && s.id < 3 && s.arguments < 3 || whole && s.id == 1 && s.arguments < 3
	case s.arguments == 5:
		return whole && lone && counts
	case s.arguments == 3:
		return (s.name == 0 || s.name == 4) && s.id < 3
	case s.id == 5:
		return s.name == 0 || s.name == 4
	case !whole && (s.id == 2 || s.id == 3 || s.id == 4):
		return counts
	case !whole:
		return counts || s.id == 1
	}
	return true
}

// certain reports whether an index or an id of its own tells each piece's call.
func (s sender) certain() bool {
	return (s.index == 0 || s.index == 6) && s.id < 2
}

func shownPieces(pieces []Piece) string {
	var b strings.Builder
	for _, p := range pieces {
		read := ""
		if p.Read != nil {
			read = pyval.Repr(p.Read)
		}
		fmt.Fprintf(&b, "%4s id=%q name=%q arguments=%q %s\n", p.hint(), p.ID, p.Name, p.Arguments, read)
	}
	return b.String()
}

// mixed mixes the pieces of calls; each call's own stay in their order, and calls
// begin in theirs.
func mixed(r *rand.Rand, each [][]Piece) (out []Piece) {
	for i := range each {
		out = append(out, each[i][0])
		each[i] = each[i][1:]
		for n := r.IntN(3); n > 0; n-- {
			if j := r.IntN(i + 1); len(each[j]) > 0 {
				out, each[j] = append(out, each[j][0]), each[j][1:]
			}
		}
	}
	for {
		left := slices.DeleteFunc(each, func(p []Piece) bool { return len(p) == 0 })
		if len(left) == 0 {
			return out
		}
		each = left
		j := r.IntN(len(each))
		out, each[j] = append(out, each[j][0]), each[j][1:]
	}
}
