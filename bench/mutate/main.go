// Mutate changes one small thing at a time in the packages that decide about
// numbers, and runs the public tests: those that all pass have not noticed.
//
//	go run ./bench/mutate [-sample 40] [-seed 1] [-since main] [-for 1m] [judge gate …]
//
// Nothing is written into the tree: the compiler reads changed files by -overlay.
// The tests are built once, with changed bodies before each function's own, one of
// which $MUTANT chooses. What no test notices is printed, unless survivors.txt
// lists it as equivalent; too much of it makes the exit code 1.
package main

import (
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A target is a name, the folders that are changed, and those of their tests.
type target struct {
	name          string
	folders, test []string
	least         int // percent that must be noticed
}

var targets = []target{
	{"judge", []string{"judge", "judge/agentic", "judge/multiturn", "judge/match"}, []string{"judge", "judge/multiturn"}, 90},
	{"read", []string{"read/decode", "read/dialect", "read/write"}, []string{"read", "judge", "../adapters/heuristic"}, 90},
	{"tally", []string{"number/tally"}, []string{"number/tally", "number"}, 90},
	{"score", []string{"number/score"}, []string{"number", "number/tally"}, 90},
	{"compare", []string{"number/compare"}, []string{"number/compare", "number"}, 97},
	{"gate", []string{"number/gate"}, []string{"number"}, 97},
	{"stat", []string{"number/stat"}, []string{"number/stat", "number/compare"}, 90},
	{"record", []string{"record"}, []string{"record", "number/tally"}, 90},
	{"engine", []string{"run/engine"}, []string{"run"}, 90},
}

// A mutant is a change of a file: a text that stands in the place of another.
type mutant struct {
	*file
	function   *ast.FuncDecl // that it is in; nil if it is in none
	start, end int
	text, says string // says is the line with the change
}

// A file has the name of its package. Its first position is base.
type file struct {
	path, name, text string
	base             int
	functions        []*ast.FuncDecl
}

//go:embed testdata/survivors.txt
var survivors string

var (
	sample = flag.Int("sample", 40, "at most this many changes in each package, drawn by -seed; 0 for all")
	seed   = flag.Uint64("seed", 1, "the seed of the sample")
	since  = flag.String("since", "", "only files that differ from this git `revision`")
	limit  = flag.Duration("for", 0, "begin no other change after so long; 0 for no limit")
	began  = time.Now()
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	work, err := os.MkdirTemp("", "mutate")
	if err != nil {
		log.Fatal(err)
	}
	code := 0
	for _, t := range targets {
		if flag.NArg() == 0 || slices.Contains(flag.Args(), t.name) {
			code = max(code, t.run(work))
		}
	}
	_ = os.RemoveAll(work)
	os.Exit(code)
}

// run tries a sample of a target's mutants and prints a line; 1 if too few
// were noticed.
func (t target) run(work string) int {
	all := t.mutants()
	places := len(all)
	if places == 0 {
		return 0
	}
	rand.New(rand.NewPCG(*seed, 0)).Shuffle(places, func(i, k int) { all[i], all[k] = all[k], all[i] })
	if *sample > 0 {
		all = all[:min(2**sample, places)] // some do not build
	}
	copies := t.build(work, slices.DeleteFunc(slices.Clone(all), func(m *mutant) bool { return m.function == nil }))
	start := time.Now()
	if t.notices(work, 0, 10*time.Minute) {
		log.Fatal(t.name, ": the tests fail without a change")
	}
	most := 20*time.Second + 3*time.Since(start)
	tried, noticed, equivalent := 0, 0, 0
	for _, m := range all {
		if *sample > 0 && tried == *sample || *limit > 0 && time.Since(began) > *limit {
			break
		}
		binaries, number := work, slices.Index(copies, m)+1
		if m.function == nil {
			binaries = filepath.Join(work, "alone")
			number = len(t.build(binaries, []*mutant{m}))
		}
		if number == 0 {
			continue
		}
		fails, listed := t.notices(binaries, number, most), strings.Contains(survivors, "\n"+m.says+"\n")
		if listed && !fails {
			equivalent++
			continue
		}
		if tried++; fails {
			noticed++
		}
		if fails == listed {
			fmt.Println(map[bool]string{true: "listed, but noticed: "}[listed] + m.says)
		}
	}
	fmt.Printf("%-8s %3d of %3d noticed (%.1f%%), besides %d equivalent; %d places\n", t.name, noticed, tried, 100*float64(noticed)/float64(max(1, tried)), equivalent, places)
	if tried-noticed > 1 && 100*noticed < t.least*tried { // one of a few is chance
		return 1
	}
	return 0
}

// build builds the tests with the mutants, and returns those that build.
func (t target) build(work string, list []*mutant) []*mutant {
	for {
		command := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay(work, list), "-o", work+"/")
		for _, folder := range t.test {
			command.Args = append(command.Args, "./internal/"+folder)
		}
		text, err := command.CombinedOutput()
		if err == nil {
			return list
		}
		bad := map[*mutant]bool{}
		for _, found := range regexp.MustCompile(`mutant(\d+):\d`).FindAllSubmatch(text, -1) {
			n, _ := strconv.Atoi(string(found[1]))
			bad[list[n-1]] = true
		}
		if len(bad) == 0 {
			log.Fatalf("%s", text)
		}
		list = slices.DeleteFunc(list, func(m *mutant) bool { return bad[m] })
	}
}

// overlay writes the changed files, and a list of them for the compiler.
func overlay(work string, list []*mutant) string {
	texts, bodies, files := map[string]string{}, map[*ast.FuncDecl]string{}, map[*file]bool{}
	for i, m := range list {
		line, changed := fmt.Sprintf("\n//line mutant%d:1\n", i+1), m.file.text[:m.start]+m.text+m.file.text[m.end:]
		f := m.function
		if f == nil {
			texts[m.path] = line + changed
			continue
		}
		body, end := changed[m.offset(f.Body.Lbrace):m.offset(f.Body.Rbrace)+len(changed)-len(m.file.text)], "}\n"
		if f.Type.Results == nil {
			end = "; return }\n"
		}
		bodies[f] += fmt.Sprintf("%sif mutantChosen == %d %s%s", line, i+1, body, end)
		files[m.file] = true
		texts[filepath.Join(filepath.Dir(m.path), "mutant.go")] = "package " + m.name + "\nimport (\"os\"; \"strconv\")\nvar mutantChosen, _ = strconv.Atoi(os.Getenv(\"MUTANT\"))"
	}
	for file := range files {
		text := file.text
		for _, f := range slices.Backward(file.functions) {
			at := file.offset(f.Body.Lbrace) + 1
			text = text[:at] + bodies[f] + text[at:]
		}
		texts[file.path] = text
	}
	replace := map[string]string{}
	for path, text := range texts {
		absolute, _ := filepath.Abs(path)
		replace[absolute] = write(work, strings.ReplaceAll(path, "/", "_"), text)
	}
	data, _ := json.Marshal(map[string]any{"Replace": replace})
	return write(work, "overlay.json", string(data))
}

func write(work, name, text string) string {
	name = filepath.Join(work, name)
	if os.MkdirAll(work, 0o755) != nil || os.WriteFile(name, []byte(text), 0o600) != nil {
		log.Fatal("cannot write into ", work)
	}
	return name
}

// notices runs the tests with a mutant, in order, until one fails.
func (t target) notices(work string, number int, most time.Duration) bool {
	for _, folder := range t.test {
		binary, _ := filepath.Abs(filepath.Join(work, filepath.Base(folder)+".test"))
		test := exec.Command(binary, "-test.failfast", "-test.short", "-test.skip=Pipe", "-test.timeout="+most.String())
		test.Dir = "internal/" + folder
		test.Env = append(os.Environ(), "MUTANT="+strconv.Itoa(number), "BFCL_SHARED="+filepath.Join(work, "none"), "BFCL_GOLDEN=", "CI=")
		if test.Run() != nil {
			return true
		}
	}
	return false
}

// mutants lists what can be changed in a target's files.
func (t target) mutants() (all []*mutant) {
	for _, folder := range t.folders {
		paths, _ := filepath.Glob("internal/" + folder + "/*.go")
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") || *since != "" && exec.Command("git", "diff", "--quiet", *since, "--", path).Run() == nil {
				continue
			}
			text, _ := os.ReadFile(path)
			set := token.NewFileSet()
			parsed, err := parser.ParseFile(set, path, text, 0)
			if err != nil {
				log.Fatal(err)
			}
			of := &file{path: path, name: parsed.Name.Name, text: string(text), base: set.File(parsed.Pos()).Base()}
			for _, declared := range parsed.Decls {
				f, says := (*ast.FuncDecl)(nil), t.name
				if is, ok := declared.(*ast.FuncDecl); ok {
					f, says, of.functions = is, says+" "+is.Name.Name, append(of.functions, is)
				}
				ast.Inspect(declared, func(n ast.Node) bool {
					return visit(n, func(from, to token.Pos, text string) { all = append(all, of.mutant(f, says, from, to, text)) })
				})
			}
		}
	}
	return all
}

func (of *file) offset(at token.Pos) int { return int(at) - of.base }

// mutant puts a text, in which $ is what stands there now, between two positions.
func (of *file) mutant(f *ast.FuncDecl, says string, from, to token.Pos, text string) *mutant {
	start, end := of.offset(from), of.offset(to)
	if f != nil && from < f.Body.Lbrace {
		f = nil
	}
	text = strings.ReplaceAll(text, "$", of.text[start:end])
	before := of.text[strings.LastIndex(of.text[:start], "\n")+1 : start]
	after, _, _ := strings.Cut(of.text[end:], "\n")
	shown := before + "[" + of.text[start:end] + " -> " + text + "]" + after
	return &mutant{of, f, start, end, text, says + ": " + strings.Join(strings.Fields(shown), " ")}
}

// other is what stands for an operator.
var other = map[token.Token]string{
	token.EQL: "!=", token.NEQ: "==", token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">",
	token.ADD: "-", token.SUB: "+", token.MUL: "/", token.QUO: "*", token.LAND: "||", token.LOR: "&&",
	token.INC: "--", token.DEC: "++", token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+=",
	token.BREAK: "continue", token.CONTINUE: "break",
}

// visit adds the changes of one node.
func visit(n ast.Node, add func(from, to token.Pos, text string)) bool {
	operator := func(at token.Pos, op token.Token) {
		if text := other[op]; text != "" {
			add(at, at+token.Pos(len(op.String())), text)
		}
	}
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok != token.IMPORT
	case *ast.BinaryExpr:
		operator(n.OpPos, n.Op)
	case *ast.IncDecStmt:
		operator(n.TokPos, n.Tok)
	case *ast.BranchStmt:
		operator(n.TokPos, n.Tok)
	case *ast.AssignStmt:
		operator(n.TokPos, n.Tok)
		if n.Tok != token.DEFINE {
			add(n.Pos(), n.End(), "")
		}
	case *ast.ExprStmt:
		add(n.Pos(), n.End(), "")
	case *ast.IfStmt:
		add(n.Cond.Pos(), n.Cond.End(), "!($)")
	case *ast.UnaryExpr:
		if n.Op == token.NOT || n.Op == token.SUB {
			add(n.OpPos, n.OpPos+1, "")
		}
	case *ast.Ident:
		if text := map[string]string{"true": "false", "false": "true"}[n.Name]; text != "" {
			add(n.Pos(), n.End(), text)
		}
	case *ast.BasicLit:
		if n.Kind == token.INT || n.Kind == token.FLOAT {
			add(n.Pos(), n.End(), "($+1)")
		}
	}
	return true
}
