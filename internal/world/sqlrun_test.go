package world_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sqlrun"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// value reads JSON.
func value(t testing.TB, text string) pyval.Value {
	t.Helper()
	v, err := pyval.ParseJSON(text)
	require.NoError(t, err)
	return v
}

func table(name string, columns string, rows ...[]pyval.Value) eval.Table {
	t := eval.Table{Name: name, Rows: rows}
	for _, c := range strings.Split(columns, ",") {
		name, kind, _ := strings.Cut(c, " ")
		t.Columns = append(t.Columns, eval.Column{Name: name, Type: kind})
	}
	return t
}

func row(values ...pyval.Value) []pyval.Value { return values }

// shop is a case over two tables with a possible answer.
func shop(t testing.TB, answer string) *eval.Case {
	tool := value(t, `{"name": "sql.execute"}`).(*pyval.Dict)
	return &eval.Case{
		ID: "sql_0", Tools: []*pyval.Dict{tool}, Answer: value(t, answer).(*pyval.List),
		Database: &eval.Database{Tables: []eval.Table{
			table("wares", "id INTEGER,name TEXT,price REAL",
				row(pyval.MakeInt(1), pyval.Str("cup"), pyval.Float(4)),
				row(pyval.MakeInt(2), pyval.Str("jug"), pyval.Float(9.5)),
				row(pyval.MakeInt(3), pyval.Str("it's"), pyval.None)),
			table("order", "ware INTEGER", row(pyval.MakeInt(2))),
		}},
	}
}

// answered is a possible answer and a call's list of arguments, as JSON.
func answered(parameters string) string { return `[{"sql.execute": ` + parameters + `}]` }

var refused = eval.Verdict{Status: eval.Fail, ErrorType: "value_error:list/tuple"}

func judge(t testing.TB, answer, arguments string) eval.Verdict {
	t.Helper()
	return sqlrun.Judge(t.Context(), shop(t, answered(answer)), value(t, answered(arguments)), false, refused)
}

func errorTypes(t *testing.T, answer string, calls [][2]string) {
	t.Helper()
	for _, c := range calls {
		v := judge(t, answer, c[0])
		assert.Equal(t, c[1], v.ErrorType, "%s: %v", c[0], v.Detail)
		assert.Equal(t, c[1] == "", v.Passed(), c[0])
		require.NotNil(t, v.Compared)
		assert.Equal(t, refused.ErrorType, v.ComparedWord())
	}
}

func TestSQLSelect(t *testing.T) {
	errorTypes(t, `{"sql_keyword": ["SELECT"], "table_name": ["wares"], "columns": [["id", "price"]], "conditions": [["price > 3"]]}`, [][2]string{
		{`{"sql_keyword": "SELECT", "table_name": "wares", "columns": ["id", "price"], "conditions": ["price > 3"]}`, ""},
		{`{"sql_keyword": "select", "table_name": "Wares", "columns": ["ID", "Price"], "conditions": ["3.0 < PRICE", "id IS NOT NULL"]}`, ""},
		{`{"sql_keyword": "SELECT", "table_name": "wares w", "columns": ["w.id AS number", "w.price"], "conditions": ["WHERE NOT price <= 3 ORDER BY price DESC"]}`, ""},
		{`{"sql_keyword": "SELECT", "table_name": "wares", "columns": ["id", "price"], "conditions": ["price > 3", "LIMIT 1"]}`, "sql_checker:wrong_result"},
		{`{"sql_keyword": "SELECT", "table_name": "wares", "columns": ["price", "id"], "conditions": ["price > 3"]}`, "sql_checker:wrong_result"},
		{`{"sql_keyword": "SELECT", "table_name": "wares", "columns": ["id"], "conditions": ["price > 3"]}`, "sql_checker:wrong_result"},
		{`{"sql_keyword": "SELECT", "table_name": "wares", "columns": ["weight"]}`, "sql_checker:execution_error"},
		{`{"sql_keyword": "SELECT", "table_name": "cups"}`, "sql_checker:execution_error"},
		{`{"sql_keyword": "DELETE", "table_name": "wares"}`, "sql_checker:wrong_result"},
		{`{"sql_keyword": "DROP", "table_name": "wares"}`, "sql_checker:execution_error"},
	})
}

// TestSQLOrder: the order of rows counts if the possible answer has an ORDER
// BY.
func TestSQLOrder(t *testing.T) {
	errorTypes(t, `{"sql_keyword": ["SELECT"], "table_name": ["wares"], "columns": [["id"]], "conditions": [["price > 3 ORDER BY price DESC"]]}`, [][2]string{
		{`{"sql_keyword": "SELECT", "table_name": "wares", "columns": ["id"], "conditions": ["price > 3", "ORDER BY id DESC"]}`, ""},
		{`{"sql_keyword": "SELECT", "table_name": "wares", "columns": ["id"], "conditions": ["price > 3", "ORDER BY price"]}`, "sql_checker:wrong_result"},
	})
}

func TestSQLChange(t *testing.T) {
	errorTypes(t, `{"sql_keyword": ["INSERT"], "table_name": ["wares"], "columns": [["id", "name"]], "insert_values": [[["4", "pan"]]]}`, [][2]string{
		{`{"sql_keyword": "INSERT INTO", "table_name": "wares", "columns": ["name", "id"], "insert_values": [["'pan'", 4]]}`, ""},
		{`{"sql_keyword": "INSERT", "table_name": "wares", "insert_values": ["4", "pan", "NULL"]}`, ""},
		{`{"sql_keyword": "INSERT", "table_name": "wares", "columns": ["id", "name"], "insert_values": [["4", "pot"]]}`, "sql_checker:wrong_state"},
		{`{"sql_keyword": "INSERT", "table_name": "wares", "columns": ["id", "name"], "insert_values": [["4"]]}`, "sql_checker:execution_error"},
		{`{"sql_keyword": "INSERT", "table_name": "wares"}`, "sql_checker:execution_error"},
		{`{"sql_keyword": "SELECT", "table_name": "wares"}`, "sql_checker:wrong_state"},
	})
	errorTypes(t, `{"sql_keyword": ["UPDATE"], "table_name": ["wares"], "columns": [["price"]], "update_values": [["5"]], "conditions": [["id = 1"]]}`, [][2]string{
		{`{"sql_keyword": "UPDATE", "table_name": "wares", "columns": ["price"], "update_values": ["5.0"], "conditions": ["name = 'cup'"]}`, ""},
		{`{"sql_keyword": "UPDATE", "table_name": "wares", "columns": ["price", "id"], "update_values": ["5", "1"], "conditions": ["id < 2"]}`, ""},
		{`{"sql_keyword": "UPDATE", "table_name": "wares", "columns": ["price"], "update_values": ["5"]}`, "sql_checker:wrong_state"},
		{`{"sql_keyword": "UPDATE", "table_name": "wares", "columns": ["price"], "update_values": []}`, "sql_checker:execution_error"},
	})
	errorTypes(t, `{"sql_keyword": ["DELETE"], "table_name": ["order"], "columns": ["", ["*"]], "conditions": ["", []]}`, [][2]string{
		{`{"sql_keyword": "DELETE", "table_name": "order"}`, ""},
		{`{"sql_keyword": "DELETE", "table_name": "order", "columns": ["ware"], "conditions": ["ware IN (SELECT id FROM wares)"]}`, ""},
		{`{"sql_keyword": "DELETE", "table_name": "wares"}`, "sql_checker:wrong_state"},
	})
	errorTypes(t, `{"sql_keyword": ["CREATE"], "table_name": ["shelf"], "columns": [["row", "ware"]]}`, [][2]string{
		{`{"sql_keyword": "CREATE TABLE", "table_name": "Shelf", "columns": ["Row INTEGER PRIMARY KEY", "ware TEXT NOT NULL"]}`, ""},
		{`{"sql_keyword": "CREATE", "table_name": "shelf", "columns": ["row"]}`, "sql_checker:wrong_state"},
		{`{"sql_keyword": "CREATE", "table_name": "shelves", "columns": ["row", "ware"]}`, "sql_checker:wrong_state"},
		{`{"sql_keyword": "CREATE", "table_name": "wares", "columns": ["row", "ware"]}`, "sql_checker:execution_error"},
	})
}

// TestSQLKept: for an answer that is not a call of the function, the verdict of
// the plain comparison stays.
func TestSQLKept(t *testing.T) {
	errorTypes(t, `{"sql_keyword": ["DELETE"], "table_name": ["order"]}`, [][2]string{
		{`{"sql_keyword": "DELETE"}`, refused.ErrorType},
		{`{"sql_keyword": "DELETE", "table_name": "order", "cascade": true}`, refused.ErrorType},
		{`{"sql_keyword": "DELETE", "table_name": ["order"]}`, refused.ErrorType},
		{`{"sql_keyword": "DELETE", "table_name": "order", "conditions": [1]}`, refused.ErrorType},
	})
	c := shop(t, answered(`{"sql_keyword": ["DELETE"], "table_name": ["order"]}`))
	call := `{"sql_keyword": "DELETE", "table_name": "order"}`
	for decoded, passes := range map[string]bool{
		`[{"sql_execute": ` + call + `}]`: true, `[{"sql.execute": ` + call + `}]`: false, `[]`: false, `"text"`: false,
		`[{"sql_execute": ` + call + `}, {"sql_execute": ` + call + `}]`: false,
	} {
		assert.Equal(t, passes, sqlrun.Judge(t.Context(), c, value(t, decoded), true, refused).Passed(), decoded)
	}
	assert.False(t, sqlrun.Judge(t.Context(), c, nil, true, refused).Passed())
}

// TestSQLHostile: statements that reach beyond the tables, or would take long,
// are refused.
func TestSQLHostile(t *testing.T) {
	many := strings.Repeat("(", 2000) + "1" + strings.Repeat(")", 2000)
	for _, c := range []struct{ table, column, condition, want string }{
		{"wares", "*", "1; DROP TABLE wares", "only one statement"},
		{"wares", "*", "1 -- comment", "only one statement"},
		{"wares", "*", "1 /* comment", "only one statement"},
		{"wares", "*", "id = 1) OR (1", ""},
		{"wares", "*", "1) UNION SELECT sql FROM x WHERE (1", "parentheses do not match"},
		{"wares", "*", "name = 'x", "a quote is not closed"},
		{"wares", "*", "id = ?1", "there is no value for"},
		{"wares", "*", "id IN (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n)", `"WITH" is not allowed`},
		{"wares", "*", "load_extension('x.so')", `"LOAD_EXTENSION" is not allowed`},
		{"sqlite_master", "*", "1", `"SQLITE_MASTER" is not allowed`},
		{"[pragma_database_list]", "*", "1", `"PRAGMA_DATABASE_LIST" is not allowed`},
		{`"sqlite_dbpage"`, "*", "1", `"SQLITE_DBPAGE" is not allowed`},
		{"wares a, wares b, wares c, wares d", "a.id", "1", "goes through tables 4 times"},
		{"json_each('[1,2,3]')", "value", "1", "rows can only be taken from the tables"},
		{"wares", "zeroblob(1000000000)", "1", "too big"},
		{"wares", "replace(printf('%3000d', 1), ' ', printf('%3000d', 1))", "1", "too big"},
		{"wares", "id", strings.Repeat("NOT ", 900) + "1", "too large"},
		{"wares", "id", many, "longer than"},
		{"wares", "id", "id LIKE '" + strings.Repeat("%_", 500) + "'", "pattern too complex"},
		{"wares", "id", "id IN (SELECT 1" + strings.Repeat(" UNION ALL SELECT 1", 50) + ")", "too many terms"},
		{"wares", "random()", "1", `"RANDOM" is not allowed`},
		{"wares\x00", "id", "1", "only one statement"},
	} {
		call := pyval.NewDict(4)
		call.SetStr("sql_keyword", pyval.Str("SELECT"))
		call.SetStr("table_name", pyval.Str(c.table))
		call.SetStr("columns", pyval.NewList(pyval.Str(c.column)))
		call.SetStr("conditions", pyval.NewList(pyval.Str(c.condition)))
		one := pyval.NewDict(1)
		one.SetStr("sql.execute", call)
		v := sqlrun.Judge(t.Context(), shop(t, answered(`{"sql_keyword": ["DELETE"], "table_name": ["order"]}`)), pyval.NewList(one), false, refused)
		if c.want == "" {
			assert.Equal(t, "sql_checker:execution_error", v.ErrorType, c.condition)
			continue
		}
		assert.Contains(t, v.ErrorType+" "+pyval.Repr(v.Detail), c.want, "%.100s", c.table+c.column+c.condition)
		assert.Less(t, len(pyval.Repr(v.Detail)), 1500)
	}
}

// TestSQLBrokenCase: a faulty case gives an error, not a verdict on the model.
func TestSQLBrokenCase(t *testing.T) {
	call := `{"sql_keyword": "DELETE", "table_name": "order"}`
	for answer, want := range map[string]string{
		`[]`: "no statement can be made from the possible answer",
		answered(`{"sql_keyword": ["SELECT"], "table_name": ["nothing"]}`): "no such table: nothing",
		answered(`{"sql_keyword": ["SELECT"]}`):                            "no statement can be made from the possible answer",
	} {
		v := sqlrun.Judge(t.Context(), shop(t, answer), value(t, answered(call)), false, refused)
		assert.Equal(t, eval.Error, v.Status)
		assert.Equal(t, "infrastructure:sql", v.ErrorType)
		assert.Contains(t, pyval.Text(v.Detail), want)
		assert.Contains(t, pyval.Text(v.Detail), "case sql_0")
	}
}

// FuzzSQLJudge: any text of a model gets a verdict, and changes nothing for the
// next statement.
func FuzzSQLJudge(f *testing.F) {
	f.Add("SELECT", "wares", "id", "price > 3")
	f.Add("UPDATE", "order", "ware", "1 ORDER BY 1")
	f.Add("CREATE", "[x]", "a DEFAULT (1)", "")
	f.Add("SELECT", "wares JOIN `order` ON ware = id", "count(*), max(name)", "name LIKE '%''%' GROUP BY id HAVING 1")
	f.Fuzz(func(t *testing.T, keyword, table, column, condition string) {
		call := fmt.Sprintf(`{"sql_keyword": %s, "table_name": %s, "columns": [%s], "conditions": [%s], "update_values": ["1"], "insert_values": [["1"]]}`,
			jsonText(keyword), jsonText(table), jsonText(column), jsonText(condition))
		v := judge(t, `{"sql_keyword": ["DELETE"], "table_name": ["order"]}`, call)
		assert.NotEqual(t, eval.Error, v.Status, "%v", v.Detail)
		assert.NotNil(t, v.Compared)
	})
}

func jsonText(s string) string {
	text, err := pyval.JSON(pyval.Str(strings.ToValidUTF8(s, "?")), 0)
	if err != nil {
		return `""`
	}
	return text
}
