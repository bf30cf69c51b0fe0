package chaos

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gobfcl/bfcl/internal/record"
)

// An act is something that a user does, or that happens to the user's files.
// Its error means that the test itself failed.
type act struct {
	name string
	do   func(r *courseRun) error
}

var acts = []act{
	{"a second process", (*courseRun).secondProcess},
	{"another setting at resume", (*courseRun).anotherSetting},
	{"the folder is deleted midway", (*courseRun).deletedMidway},
	{"a file is missing", (*courseRun).missingFile},
	{"the dataset is edited", (*courseRun).editedDataset},
	{"a shard of another run", (*courseRun).foreignShard},
	{"lines are lost", (*courseRun).lostLines},
	{"replies without usage", (*courseRun).noUsage},
	{"a case has two answers", (*courseRun).twoAnswers},
	{"stopped midway", (*courseRun).stoppedMidway},
	{"the budget is spent", (*courseRun).spentBudget},
	{"another run's JUnit or run.json", (*courseRun).foreignFile},
	{"a JUnit file is changed", (*courseRun).changedSheet},
	{"the folder is moved, and linked to", (*courseRun).movedFolder},
	{"the clock jumped", (*courseRun).clockJumped},
	{"an older version's run", (*courseRun).olderVersion},
	{"more trials at resume", (*courseRun).moreTrials},
	{"few open files", (*courseRun).fewFiles},
	{"fewer cases at resume", (*courseRun).fewerCases},
	{"a hostile name", (*courseRun).hostileName},
	{"aborted answers", (*courseRun).aborts},
	{"another model's answers", (*courseRun).foreignAnswers},
	{"a run that cannot begin", (*courseRun).cannotBegin},
	{"run.json says another reading", (*courseRun).editedReading},
	{"a run is its own baseline", (*courseRun).itself},
	{"the server is gone", (*courseRun).deadServer},
}

// started is a command that runs until some requests have come.
type started struct {
	cmd       *exec.Cmd
	out, errs *bytes.Buffer
	ended     chan struct{}
	told      told
}

// begin starts the run and waits until it has sent that many more requests.
func (r *courseRun) begin(requests int, more ...string) *started {
	s := &started{ended: make(chan struct{})}
	s.cmd, s.out, s.errs = r.command(r.asking(more...)...)
	goal := r.server.Requests() + requests
	err := s.cmd.Start()
	go func() {
		defer close(s.ended)
		s.told = r.end(s.cmd, err, s.out, s.errs)
	}()
	for err == nil && r.server.Requests() < goal && !s.over() {
		time.Sleep(time.Millisecond)
	}
	return s
}

func (s *started) over() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

func (s *started) wait() told {
	<-s.ended
	return s.told
}

func (r *courseRun) some() int { return 5 + r.random.IntN(30) }

func (r *courseRun) secondProcess() error {
	r.server.be(false, 40*time.Millisecond)
	first := r.begin(r.some())
	var more []string
	if r.random.IntN(2) == 0 {
		more = []string{"-resume"}
	}
	second := r.tell(r.asking(more...)...)
	if !first.over() {
		r.must("the second process", second, "is being written by process")
	}
	r.number("the first process", first.wait(), wholeScore)
	r.probe()
	return nil
}

func (r *courseRun) anotherSetting() error {
	if err := r.fresh(); err != nil {
		return err
	}
	other := "prompt"
	if r.prompt {
		other = "fc"
	}
	edited := filepath.Join(r.Dir, "edited")
	if err := errors.Join(os.RemoveAll(edited), os.CopyFS(edited, os.DirFS(r.data)), r.edit(edited)); err != nil {
		return err
	}
	settings := []string{
		"-model=n", "-model=heuristic", "-temperature=0.7", "-max-tokens=17", "-mode=" + other, "-dataset=" + edited,
		"-base-url=" + r.url + "/v2", "-reasoning-effort=low", "-header=X-Route: b", "-shard=0/2",
	}
	setting := settings[r.random.IntN(len(settings))]
	name, _, _ := strings.Cut(strings.TrimPrefix(setting, "-"), "=")
	said := []string{"the run folder was made with", strings.ReplaceAll(name, "-", "_")}
	r.must("-resume "+setting, r.tell(r.asking("-resume", setting)...), said...)
	if !r.probe() {
		r.problem("a refused %s spoiled the run", setting)
	}
	return nil
}

func (r *courseRun) deletedMidway() error {
	r.server.be(false, 20*time.Millisecond)
	run := r.begin(r.some())
	if r.random.IntN(2) == 0 {
		_ = os.RemoveAll(r.run)
	} else {
		_ = os.Rename(r.run, r.run+"-gone")
	}
	r.number("a run without a folder", run.wait(), wholeScore) // it may have ended just before
	_ = os.RemoveAll(r.run)                                    // with what the end of the run wrote
	r.server.be(false, time.Millisecond)
	r.mended()
	r.probe()
	return nil
}

// files returns the files of the run's folder.
func (r *courseRun) files() (paths []string) {
	_ = filepath.WalkDir(r.run, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && !strings.HasPrefix(entry.Name(), ".") {
			paths = append(paths, path)
		}
		return nil
	})
	return paths
}

func (r *courseRun) missingFile() error {
	if err := r.fresh(); err != nil {
		return err
	}
	candidates := slices.DeleteFunc(r.files(), func(path string) bool { return strings.Contains(path, "memory_snapshot") })
	for _, name := range []string{"run.json", "junit.xml", "result"} { // the important ones come more often
		candidates = append(candidates, filepath.Join(r.run, name))
	}
	var errs []error
	for range 1 + r.random.IntN(2) {
		errs = append(errs, os.RemoveAll(candidates[r.random.IntN(len(candidates))]))
	}
	r.probe()
	r.mended()
	r.probe()
	return errors.Join(errs...)
}

// edit changes what a case asks or accepts, and keeps the dataset valid.
func (r *courseRun) edit(data string) error {
	questions, err := filepath.Glob(filepath.Join(data, "BFCL_v4_*.json"))
	if err != nil {
		return err
	}
	paths, err := filepath.Glob(filepath.Join(data, "possible_answer", "BFCL_v4_*.json"))
	if err != nil {
		return err
	}
	if r.random.IntN(2) == 0 {
		paths = questions
	}
	r.random.Shuffle(len(paths), func(i, k int) { paths[i], paths[k] = paths[k], paths[i] })
	for _, path := range append(paths, questions...) { // not every answer has values
		change := askMore
		if filepath.Base(filepath.Dir(path)) == "possible_answer" {
			change = acceptMore
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		first, rest, _ := strings.Cut(string(text), "\n")
		var entry map[string]any
		if err := json.Unmarshal([]byte(first), &entry); err != nil || !change(entry) {
			continue
		}
		line, err := json.Marshal(entry)
		if err != nil {
			return err
		}
		return os.WriteFile(path, []byte(string(line)+"\n"+rest), 0o644)
	}
	return errors.New("no case can be edited")
}

// askMore changes a question. It returns false if the entry has none.
func askMore(entry map[string]any) bool {
	turns, _ := entry["question"].([]any)
	if len(turns) == 0 {
		return false
	}
	messages, _ := turns[0].([]any)
	if len(messages) == 0 {
		return false
	}
	message, ok := messages[0].(map[string]any)
	if ok {
		message["content"] = fmt.Sprint(message["content"], " Please.")
	}
	return ok
}

// acceptMore accepts another value of a parameter. It returns false if the
// entry has none.
func acceptMore(entry map[string]any) bool {
	calls, _ := entry["ground_truth"].([]any)
	if len(calls) == 0 {
		return false
	}
	call, _ := calls[0].(map[string]any)
	for _, function := range slices.Sorted(maps.Keys(call)) {
		values, _ := call[function].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if list, ok := values[name].([]any); ok {
				values[name] = append(list, "another value")
				return true
			}
		}
	}
	return false
}

func (r *courseRun) editedDataset() error {
	if err := r.fresh(); err != nil {
		return err
	}
	kept := r.data + "-kept"
	if err := errors.Join(os.CopyFS(kept, os.DirFS(r.data)), r.edit(r.data)); err != nil {
		return err
	}
	if r.probe() {
		r.problem("a number is printed although the dataset was edited")
	}
	r.must("-resume on edited data", r.tell(r.asking("-resume")...), "digest")
	if err := errors.Join(os.RemoveAll(r.data), os.Rename(kept, r.data)); err != nil {
		return err
	}
	if !r.probe() {
		r.problem("the run has no number though its data is back")
	}
	return nil
}

// shard runs a shard, in a folder of its own.
func (r *courseRun) shard(folder, part string, more ...string) error {
	own := *r
	own.run = folder
	if got := r.tell(own.asking(append([]string{"-shard=" + part}, more...)...)...); got.code != 0 {
		return fmt.Errorf("shard %s ends with %d: %s", part, got.code, got.last())
	}
	return nil
}

func (r *courseRun) foreignShard() error {
	one, two, other := filepath.Join(r.run, "0"), filepath.Join(r.run, "1"), filepath.Join(r.Dir, "other")
	if err := errors.Join(r.shard(one, "0/2"), r.shard(two, "1/2"), os.RemoveAll(other)); err != nil {
		return err
	}
	score := func() told { return r.tell("score", "--json", one, two) }
	if !r.number("score of the shards", score(), wholeScore) {
		r.problem("the shards have no number")
	}
	var err error
	switch r.random.IntN(6) {
	case 0:
		err = r.shard(other, "1/2", "-model=n")
	case 1:
		err = r.shard(other, "1/2", "-temperature=0.7")
	case 2:
		err = r.shard(other, "1/3")
	case 3:
		err = os.CopyFS(other, os.DirFS(one))
	case 4:
		err = r.shard(other, "1/2", "-trials=2")
	default:
		r.must("one shard alone", r.tell("score", "--json", one), "shards are missing")
		return nil
	}
	if err := errors.Join(err, os.RemoveAll(two), os.Rename(other, two)); err != nil {
		return err
	}
	r.must("score of foreign shards", score())
	r.must("compare of foreign shards", r.tell("compare", "--json", r.calm, one+","+two))
	r.must("gate of foreign shards", r.tell("gate", "--config", "gate.yaml", r.run))
	return nil
}

// change rewrites the lines of a result file of each chosen category.
func (r *courseRun) change(lines func([]string) []string) error {
	paths := slices.DeleteFunc(resultFiles(r.run), func(path string) bool { return strings.Contains(path, "prereq") })
	r.random.Shuffle(len(paths), func(i, k int) { paths[i], paths[k] = paths[k], paths[i] })
	for _, path := range paths[:1+r.random.IntN(len(paths))] {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		changed := lines(strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"))
		if err := os.WriteFile(path, []byte(strings.Join(changed, "\n")+"\n"), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// unsheet removes the JUnit file, more often than not, so that the records are
// scored.
func (r *courseRun) unsheet() (gone bool, err error) {
	if r.random.IntN(3) == 0 {
		return false, nil
	}
	return true, os.Remove(filepath.Join(r.run, "junit.xml"))
}

func (r *courseRun) lostLines() error {
	if err := r.fresh(); err != nil {
		return err
	}
	gone, err := r.unsheet()
	err = errors.Join(err, r.change(func(lines []string) []string {
		at := r.random.IntN(len(lines))
		return slices.Delete(lines, at, at+1)
	}))
	if r.probe() && gone {
		r.problem("a number is printed though answers are lost")
	}
	if !r.mended() {
		r.problem("lost answers cannot be asked again")
	}
	r.probe()
	return err
}

func (r *courseRun) twoAnswers() error {
	if err := r.fresh(); err != nil {
		return err
	}
	gone, err := r.unsheet()
	err = errors.Join(err, r.change(func(lines []string) []string {
		var entry map[string]any
		if json.Unmarshal([]byte(lines[0]), &entry) != nil {
			return lines
		}
		entry["result"] = "another answer"
		other, _ := json.Marshal(entry)
		return append(lines, string(other))
	}))
	if r.probe() && gone {
		r.problem("a number is printed though a case has two answers")
	}
	r.mended()
	return err
}

func (r *courseRun) noUsage() error {
	r.server.be(true, time.Millisecond)
	if r.random.IntN(2) == 0 {
		r.number("a run without usage", r.tell(r.asking()...), wholeScore)
		r.probe()
		return nil
	}
	r.must("a budget without usage", r.tell(r.asking("-max-cost=1000000")...), "a reply states no tokens (usage)")
	r.probe()
	r.mended()
	r.probe()
	return nil
}

func (r *courseRun) spentBudget() error {
	const dearest = (mostInput + mostOutput) * 1000 / 1e6 // in dollars
	budget, atOnce := 1+float64(r.random.IntN(8)), []int{1, 8, 100}[r.random.IntN(3)]
	r.must("a spent budget", r.tell(r.asking(fmt.Sprintf("-max-cost=%g", budget), fmt.Sprintf("-concurrency=%d", atOnce))...), "the budget is spent")
	spent, err := r.spent()
	if err != nil {
		return err
	}
	if spent > budget+max(budget/2, dearest) {
		r.problem("a budget of $%g was overrun with %d in flight: $%.4f", budget, atOnce, spent)
	}
	if r.probe() {
		r.problem("a number is printed though the budget ended the run")
	}
	if !r.mended("-max-cost=1000000") {
		r.problem("a run with a new budget does not go on")
	}
	r.probe()
	return nil
}

// spent returns the price of the recorded answers.
func (r *courseRun) spent() (dollars float64, err error) {
	for _, path := range resultFiles(r.run) {
		rows, err := record.Read(path, true)
		if err != nil {
			return 0, err
		}
		for _, row := range rows {
			resp := row.Response()
			dollars += float64(resp.InputTokens+resp.OutputTokens) * 1000 / 1e6
		}
	}
	return dollars, nil
}

func (r *courseRun) stoppedMidway() error {
	r.server.be(false, 10*time.Millisecond)
	run := r.begin([]int{0, 1, r.some()}[r.random.IntN(3)])
	signal := []os.Signal{syscall.SIGKILL, syscall.SIGTERM, os.Interrupt}[r.random.IntN(3)]
	_ = run.cmd.Process.Signal(signal)
	switch got := run.wait(); {
	case got.code == 0:
		r.number("a run that was stopped", got, wholeScore) // it ended just before
	case strings.Contains(got.out, "accuracy"):
		r.problem("a run that was stopped by %v prints a number: %s", signal, got.out)
	case strings.Contains(got.errs, "every case"):
		r.problem("a run that was stopped by %v says that it is complete: %s", signal, got.errs)
	}
	r.server.be(false, time.Millisecond)
	r.probe() // a number only if nothing but what was in flight was left
	if !r.mended() {
		r.problem("a run that was stopped by %v does not go on", signal)
	}
	r.probe()
	return nil
}

// ofOther returns a run of the other model over the same cases.
func (r *courseRun) ofOther() (string, error) {
	own := *r
	own.run = filepath.Join(r.Dir, "of-n")
	if _, err := os.Stat(own.run); err == nil {
		return own.run, nil
	}
	if got := r.tell(own.asking("-model=n")...); got.code != 0 {
		return "", fmt.Errorf("the run of n ends with %d: %s", got.code, got.last())
	}
	return own.run, nil
}

func (r *courseRun) foreignFile() error {
	other, err := r.ofOther()
	if err := errors.Join(err, r.fresh()); err != nil {
		return err
	}
	name := []string{"junit.xml", "run.json"}[r.random.IntN(2)]
	text, err := os.ReadFile(filepath.Join(other, name))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(r.run, name), text, 0o644); err != nil {
		return err
	}
	if r.probe() {
		r.problem("a number is printed with %s of another run", name)
	}
	if name == "run.json" {
		r.must("-resume on another's run.json", r.tell(r.asking("-resume")...), "model")
		return nil
	}
	r.mended()
	r.probe()
	return nil
}

func (r *courseRun) changedSheet() error {
	if err := r.fresh(); err != nil {
		return err
	}
	path := filepath.Join(r.run, "junit.xml")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	parts := strings.SplitAfter(string(text), "</testcase>")
	at := r.random.IntN(len(parts) - 1)
	switch r.random.IntN(4) {
	case 0:
		parts = slices.Delete(parts, at, at+1)
	case 1:
		parts = slices.Insert(parts, at, parts[at])
	case 2:
		parts = parts[:at]
	default:
		parts[at] = strings.NewReplacer("<failure", "<!--", "</failure>", "-->").Replace(parts[at])
	}
	if err := os.WriteFile(path, []byte(strings.Join(parts, "")), 0o644); err != nil {
		return err
	}
	r.probe()
	r.mended()
	r.probe()
	return nil
}

func (r *courseRun) movedFolder() error {
	if err := r.fresh(); err != nil {
		return err
	}
	moved := r.run + "-moved"
	if err := errors.Join(os.Rename(r.run, moved), os.Symlink(moved, r.run)); err != nil {
		return err
	}
	if !r.probe() {
		r.problem("a link to a run has no number")
	}
	if !r.mended() {
		r.problem("a run behind a link does not go on")
	}
	r.run = moved
	if !r.probe() {
		r.problem("a run that was moved has no number")
	}
	return nil
}

func (r *courseRun) clockJumped() error {
	if err := r.fresh(); err != nil {
		return err
	}
	trial := &trialRun{Trial: Trial{Dir: r.run}, random: r.random, report: &Report{Stops: map[string]int{}}}
	trial.jump()
	if !r.probe() {
		r.problem("a run of another clock has no number")
	}
	if !r.mended() {
		r.problem("a run of another clock does not go on")
	}
	r.probe()
	return nil
}

// olderVersion makes run.json look like that of an older version of the
// harness, which lacks later fields.
func (r *courseRun) olderVersion() error {
	if err := r.fresh(); err != nil {
		return err
	}
	path := filepath.Join(r.run, "run.json")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var stated map[string]any
	if err := json.Unmarshal(text, &stated); err != nil {
		return err
	}
	stated["version"] = "0.0.1"
	for _, later := range []string{"served", "data", "wording", "prices", "parameters", "skipped", "dialect"} {
		if r.random.IntN(3) == 0 {
			delete(stated, later)
		}
	}
	if text, err = json.Marshal(stated); err != nil {
		return err
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return err
	}
	r.probe()
	r.mended()
	r.probe()
	return nil
}

func (r *courseRun) moreTrials() error {
	if err := r.fresh(); err != nil {
		return err
	}
	if !r.mended("-trials=2") {
		r.problem("more trials are refused")
	}
	r.probe()
	r.mended() // and with fewer again
	r.probe()
	return nil
}

func (r *courseRun) fewFiles() error {
	if err := r.fresh(); err != nil {
		return err
	}
	err := r.change(func(lines []string) []string { return lines[:len(lines)/2] })
	args := append([]string{"-c", `ulimit -n 64 && exec "$0" "$@"`, r.Command}, r.asking("-resume", "-concurrency=100")...)
	own := *r
	own.Command = "sh"
	if !r.number("-resume with few files", own.tell(args...), wholeScore) {
		r.problem("a run with few files does not go on")
	}
	r.probe()
	return err
}

// fewerCases continues the run with some of the cases, whose number must say
// that it covers a part, and then with all of them.
func (r *courseRun) fewerCases() error {
	if err := r.fresh(); err != nil {
		return err
	}
	got := r.tell(r.asking("-resume", "-ids="+r.categories[0]+"_0")...)
	if got.code == 0 && !strings.Contains(got.out, `"complete": false`) {
		r.problem("the number of one case does not say that it is of a part: %s", got.out)
	}
	if !r.mended("-ids=*") {
		r.problem("a run does not go on with all cases")
	}
	r.probe()
	return nil
}
