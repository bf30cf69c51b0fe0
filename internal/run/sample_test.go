package run_test

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/run/suite"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

func some(names ...string) (parts []suite.Part) {
	for k, name := range names {
		part := suite.Part{Category: categories.Find(name)}
		for i := range 100 * (k + 1) {
			part.Cases = append(part.Cases, &eval.Case{ID: name + "_" + strconv.Itoa(i)})
		}
		parts = append(parts, part)
	}
	return parts
}

func count(ids []string, name string) (n int) {
	for _, id := range ids {
		if strings.HasPrefix(id, name+"_") {
			n++
		}
	}
	return n
}

// TestSampleChoose: samples with the same seed are nested, each category has a
// case, and the rest is allotted by weight and variance, or by size.
func TestSampleChoose(t *testing.T) {
	parts := some("simple_java", "multiple", "memory_kv")
	take := func(spec string, seed uint64) []string {
		s, err := suite.Parse(spec)
		require.NoError(t, err)
		ids, err := s.Choose(parts, seed)
		require.NoError(t, err)
		return ids
	}
	large, small := take("200", 1), take("50", 1)
	assert.Len(t, small, 50)
	for _, id := range small {
		assert.Contains(t, large, id)
	}
	assert.Equal(t, small, take("50", 1), "the seed decides")
	assert.NotEqual(t, small, take("50", 2))
	assert.Greater(t, count(small, "memory_kv"), 30, "memory weighs most")
	assert.Positive(t, count(small, "simple_java"))
	bySize := take("60,by=size", 1)
	assert.Equal(t, []int{10, 20, 30}, []int{count(bySize, "simple_java"), count(bySize, "multiple"), count(bySize, "memory_kv")})
	assert.Len(t, take("3", 7), 3)
}

func TestSampleChooseRefuses(t *testing.T) {
	parts := some("simple_java", "multiple", "memory_kv")
	for spec, want := range map[string]string{
		"600": "not smaller than the 600 cases there are", "2": "has fewer cases than the 3 categories that count",
	} {
		s, err := suite.Parse(spec)
		require.NoError(t, err)
		_, err = s.Choose(parts, 1)
		assert.ErrorContains(t, err, want)
	}
}

func TestSampleParse(t *testing.T) {
	for text, want := range map[string]string{"": "", "500": "500,by=precision", "500,by=precision": "500,by=precision", "7,by=size": "7,by=size"} {
		s, err := suite.Parse(text)
		assert.NoError(t, err)
		assert.Equal(t, want, s.String())
	}
	for _, bad := range []string{"7,by=size,multiple:1", "7,by=precision,multiple:0.5", "0", "-1", "x", "10%", "500,by=", "500,by=cost", "500,precision", ","} {
		_, err := suite.Parse(bad)
		assert.ErrorContains(t, err, "such as 500", bad)
	}
}

// TestSampleOrderIsEven: no id tends to be drawn before the others.
func TestSampleOrderIsEven(t *testing.T) {
	stratum := suite.Stratum{Scale: 1}
	for i := range 1000 {
		stratum.Cases = append(stratum.Cases, i)
	}
	low := 0
	for seed := range uint64(50) {
		for _, i := range suite.Order([]suite.Stratum{stratum}, seed, strconv.Itoa)[:100] {
			if i < 500 {
				low++
			}
		}
	}
	assert.InDelta(t, 2500, low, 150)
}

func FuzzSampleParse(f *testing.F) {
	f.Add("500,by=size")
	f.Add("5,by=precision,multiple:0.5,x:1e-9")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := suite.Parse(text)
		if err != nil || text == "" {
			return
		}
		again, err := suite.Parse(s.String())
		if err != nil || again.String() != s.String() {
			t.Fatalf("%q reads as %v, and that as %v: %v", text, s, again, err)
		}
	})
}

// TestSampleStable: a seed and ids always give the same order, because resumed
// and compared runs must ask the same cases.
func TestSampleStable(t *testing.T) {
	id := func(i int) string { return "case_" + strconv.Itoa(i%9) } // two share an id
	strata := []suite.Stratum{{Scale: 2, Cases: []int{0, 1, 2, 3, 4, 9}}, {Scale: 1, Cases: []int{5, 6, 7, 8}}}
	assert.Equal(t, []int{3, 6, 0, 9, 5, 2, 4, 8, 1, 7}, suite.Order(strata, 7, id))
}

// FuzzSelect reads lists of categories and files of ids: what is selected is
// there, each case once.
func FuzzSelect(f *testing.F) {
	f.Add("all", "simple_python_0\n# no case\n\nirrelevance_1,irrelevance_2")
	f.Add("live,parallel", "live_simple_0")
	f.Add("python,", "simple_python_0 simple_python_0")
	dataset, err := fixtures.Open(fixtures.Starter, "")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, names, ids string) {
		path := filepath.Join(t.TempDir(), "ids")
		if err := os.WriteFile(path, []byte(ids), 0o644); err != nil {
			t.Fatal(err)
		}
		list, err := suite.ReadIDs("@" + path)
		if err != nil {
			return
		}
		s, err := suite.Select(dataset, names, list)
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, part := range s.Parts {
			for _, c := range part.Cases {
				if seen[c.ID] {
					t.Fatalf("%s is selected twice", c.ID)
				}
				seen[c.ID] = true
			}
		}
		if len(seen) == 0 || len(seen) != s.Cases() {
			t.Fatalf("%d cases of %d", len(seen), s.Cases())
		}
	})
}

// parsed returns the options that a command line sets, or why they are refused.
func parsed(args ...string) (o option.Options, err error) {
	set := flag.NewFlagSet("t", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	o.Register(set)
	if err = set.Parse(args); err == nil {
		err = o.Check()
	}
	return o, err
}

// TestOptionSenselessNumbers: NaN, infinities, negative numbers and empty texts are
// refused by every flag for which they mean nothing.
func TestOptionSenselessNumbers(t *testing.T) {
	for _, arg := range []string{
		"-max-cost=NaN", "-max-cost=+Inf", "-max-cost=-1", "-max-cost=0", "-max-cost=", "-max-cost=ten",
		"-temperature=NaN", "-temperature=inf", "-temperature=-0.1",
		"-max-tokens=NaN", "-max-tokens=Inf", "-max-tokens=0", "-max-tokens=-5", "-max-tokens=1.5", "-max-tokens=1e30",
		"-rpm=-1", "-tpm=-1", "-concurrency=-1", "-trials=0", "-trials=-1",
		"-request-timeout=-1s", "-server-wait=-1s", "-grace=-5s", "-ids=", "-categories=",
	} {
		_, err := parsed(arg)
		assert.Error(t, err, arg)
	}
}

func TestOptionSensibleNumbers(t *testing.T) {
	o, err := parsed("-max-cost=2.5", "-temperature=0", "-max-tokens=4096", "-rpm=1", "-grace=0s", "-ids=a,b")
	require.NoError(t, err)
	assert.InDelta(t, 2.5, o.MaxCost, 0)
	assert.Equal(t, "all", o.Categories)
	assert.Equal(t, "a,b", o.IDs)
	_, err = parsed()
	require.NoError(t, err)
}
