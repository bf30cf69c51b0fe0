package javacall_test

import (
	"testing"

	"github.com/gobfcl/bfcl/internal/source/javacall"
)

func BenchmarkParse(b *testing.B) {
	for name, src := range map[string]string{
		"literals":   `Clock.setAlarm(hour=7, label="wake up", repeat=true)`,
		"collection": `Cart.fill(items=new ArrayList<String>(Arrays.asList("tea", "rye")), owner=new HashMap<String, Object>() {{ put("id", 4); }}, sizes=new int[]{1, 2})`,
		"refused":    `Clock.setAlarm(hour=[7], label="wake up", repeat=true)`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = javacall.Parse(src)
			}
		})
	}
}

func BenchmarkConvert(b *testing.B) {
	for _, c := range []struct{ value, typ, nested string }{
		{"42", "integer", ""}, {"7L", "long", ""}, {"wake up", "String", ""},
		{`new ArrayList<>(Arrays.asList("tea", "rye"))`, "ArrayList", "String"},
		{`new HashMap<>() {{ put("id", 4); }}`, "HashMap", ""},
	} {
		b.Run(c.typ, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = javacall.Convert(c.value, c.typ, c.nested)
			}
		})
	}
}
