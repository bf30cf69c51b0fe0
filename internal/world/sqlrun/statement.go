package sqlrun

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A statement is one SQL statement: text for the engine with its values apart,
// and text for people.
type statement struct {
	sql     string
	values  []any
	shown   string
	ordered bool // its rows are in an order of its own
}

// A call holds the parts of a statement, the arguments of sql.execute.
type call struct {
	keyword, table string
	columns        []string
	inserts        [][]pyval.Value
	updates        []pyval.Value
	conditions     []string
}

// readCall reads arguments; false if they are not those of sql.execute or not
// of its types: no statement can be made from those.
func readCall(arguments *pyval.Dict) (c call, ok bool) {
	ok = true
	for key, v := range arguments.All() {
		good := false
		switch pyval.Text(key) {
		case "sql_keyword":
			c.keyword, good = text(v)
		case "table_name":
			c.table, good = text(v)
		case "columns":
			c.columns, good = texts(v)
		case "insert_values":
			c.inserts, good = rows(v)
		case "update_values":
			c.updates, good = scalars(v)
		case "conditions":
			c.conditions, good = texts(v)
		}
		ok = ok && good
	}
	return c, ok && c.keyword != "" && c.table != ""
}

func text(v pyval.Value) (string, bool) {
	s, ok := v.(pyval.Str)
	return string(s), ok
}

// texts reads a list of texts; "" stands for a parameter that is left out.
func texts(v pyval.Value) ([]string, bool) {
	list, ok := v.(*pyval.List)
	if !ok {
		return nil, v == pyval.Str("")
	}
	var out []string
	for _, item := range list.Items {
		s, ok := text(item)
		if !ok {
			return nil, false
		}
		out = append(out, s)
	}
	return out, true
}

func scalars(v pyval.Value) ([]pyval.Value, bool) {
	list, ok := v.(*pyval.List)
	if !ok {
		return nil, v == pyval.Str("")
	}
	for _, item := range list.Items {
		switch item.Kind() {
		case pyval.KindStr, pyval.KindInt, pyval.KindFloat, pyval.KindBool, pyval.KindNone:
		default:
			return nil, false
		}
	}
	return list.Items, true
}

// rows reads a list of rows; a list of values is one row.
func rows(v pyval.Value) ([][]pyval.Value, bool) {
	if one, ok := scalars(v); ok {
		if len(one) == 0 {
			return nil, true
		}
		return [][]pyval.Value{one}, true
	}
	list, ok := v.(*pyval.List)
	if !ok {
		return nil, false
	}
	var out [][]pyval.Value
	for _, item := range list.Items {
		row, ok := scalars(item)
		if !ok {
			return nil, false
		}
		out = append(out, row)
	}
	return out, true
}

// statement puts the parts together. The error says why that cannot be done.
func (c call) statement() (statement, error) {
	kind, _, _ := strings.Cut(strings.TrimSpace(c.keyword), " ")
	table, err := readFragment(c.table)
	if err != nil {
		return statement{}, err
	}
	b := &builder{}
	switch strings.ToUpper(kind) {
	case "SELECT":
		err = b.selects(c, table.name())
	case "INSERT":
		err = b.inserts(c, table.name())
	case "UPDATE":
		err = b.updates(c, table.name())
	case "DELETE":
		b.write("DELETE FROM " + table.name())
		err = b.where(c.conditions)
	case "CREATE":
		err = b.creates(c, table.name())
	default:
		err = fmt.Errorf("%.60q is not one of SELECT, INSERT, UPDATE, DELETE and CREATE", c.keyword)
	}
	return statement{b.sql.String(), b.values, b.shown.String(), b.ordered}, err
}

// A builder writes a statement twice, for the engine and for people.
type builder struct {
	sql, shown strings.Builder
	values     []any
	ordered    bool
}

func (b *builder) write(text string) {
	b.sql.WriteString(text)
	b.shown.WriteString(text)
}

func (b *builder) selects(c call, table string) error {
	columns, err := names(c.columns)
	if err != nil {
		return err
	}
	if len(columns) == 0 {
		columns = []string{"*"}
	}
	b.write("SELECT " + strings.Join(columns, ", ") + " FROM " + table)
	return b.where(c.conditions)
}

func names(columns []string) ([]string, error) {
	var out []string
	for _, column := range columns {
		f, err := readFragment(column)
		if err != nil {
			return nil, err
		}
		if strings.TrimSpace(column) == "" {
			return nil, errors.New("a column has no name")
		}
		out = append(out, f.name())
	}
	return out, nil
}

// where adds conditions that must all hold, and the clauses after them.
func (b *builder) where(conditions []string) error {
	var all, behind []string
	for _, condition := range conditions {
		f, err := readFragment(condition)
		if err != nil {
			return err
		}
		wanted, clause, ordered := f.split()
		if wanted != "" {
			all = append(all, "("+wanted+")")
		}
		if clause != "" {
			behind = append(behind, clause)
		}
		b.ordered = b.ordered || ordered
	}
	if len(all) > 0 {
		b.write(" WHERE " + strings.Join(all, " AND "))
	}
	for _, clause := range behind {
		b.write(" " + clause)
	}
	return nil
}

func (b *builder) inserts(c call, table string) error {
	if len(c.inserts) == 0 {
		return errors.New("INSERT without values")
	}
	columns, err := names(c.columns)
	if err != nil {
		return err
	}
	b.write("INSERT INTO " + table)
	if len(columns) > 0 && c.columns[0] != "*" {
		b.write(" (" + strings.Join(columns, ", ") + ")")
	}
	b.write(" VALUES ")
	for i, row := range c.inserts {
		b.separate(i)
		b.write("(")
		for k, v := range row {
			b.separate(k)
			b.value(v)
		}
		b.write(")")
	}
	return nil
}

func (b *builder) updates(c call, table string) error {
	columns, err := names(c.columns)
	if err != nil {
		return err
	}
	if len(columns) == 0 || len(columns) != len(c.updates) {
		return fmt.Errorf("UPDATE of %d columns with %d values", len(columns), len(c.updates))
	}
	b.write("UPDATE " + table + " SET ")
	for i, column := range columns {
		b.separate(i)
		b.write(column + " = ")
		b.value(c.updates[i])
	}
	return b.where(c.conditions)
}

func (b *builder) creates(c call, table string) error {
	columns, err := names(c.columns)
	if err != nil {
		return err
	}
	b.write("CREATE TABLE " + table + " (" + strings.Join(columns, ", ") + ")")
	return nil
}

func (b *builder) separate(i int) {
	if i > 0 {
		b.write(", ")
	}
}

// value adds a value, which never becomes part of the text. A text in single
// quotes means the text between them, and NULL is not a value.
func (b *builder) value(v pyval.Value) {
	b.sql.WriteByte('?')
	var bound any
	switch v := v.(type) {
	case pyval.Str:
		bound = literal(string(v))
	case pyval.Bool:
		bound = bool(v)
	case pyval.Float:
		bound = float64(v)
	case pyval.Int:
		if n, ok := v.Int64(); ok {
			bound = n
		} else {
			bound = pyval.Text(v)
		}
	}
	b.values = append(b.values, bound)
	b.shown.WriteString(canonical(bound))
}

func literal(s string) any {
	if strings.EqualFold(s, "NULL") {
		return nil
	}
	if len(s) >= 2 && s[0] == '\'' && s[len(s)-1] == '\'' {
		return strings.ReplaceAll(s[1:len(s)-1], "''", "'")
	}
	return s
}
