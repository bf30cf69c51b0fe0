package sqlrun

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/gobfcl/bfcl/internal/eval"
)

// The bounds of a statement. Tables are small (see eval.MostRows), so a plan of few
// loops over them ends soon: the time is the last resort.
const (
	// mostLoops bounds the loops of a plan, those of parts included.
	mostLoops = 3
	// mostResult bounds the rows of a result.
	mostResult = 1000
	timeout    = 5 * time.Second
)

// limits are SQLite's own, by its numbers.
var limits = map[int]int{
	lib.SQLITE_LIMIT_LENGTH:              longest,
	lib.SQLITE_LIMIT_SQL_LENGTH:          16 * longest,
	lib.SQLITE_LIMIT_COLUMN:              100,
	lib.SQLITE_LIMIT_EXPR_DEPTH:          100,
	lib.SQLITE_LIMIT_COMPOUND_SELECT:     5,
	lib.SQLITE_LIMIT_VDBE_OP:             25_000,
	lib.SQLITE_LIMIT_ATTACHED:            0,
	lib.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 200,
	lib.SQLITE_LIMIT_VARIABLE_NUMBER:     1000,
	lib.SQLITE_LIMIT_TRIGGER_DEPTH:       1,
}

// pragmas keep everything in memory, and within a small size.
const pragmas = "PRAGMA temp_store = 2; PRAGMA journal_mode = OFF; PRAGMA trusted_schema = OFF; PRAGMA max_page_count = 500"

// turn lets one statement run at a time, so that the bounds hold for the whole
// process.
var turn sync.Mutex

// A refusal is an error of the statement, not of the engine or the case.
type refusal struct{ error }

func refuse(format string, args ...any) error { return refusal{fmt.Errorf(format, args...)} }

// run executes a statement on a case's tables. A refusal says that the
// statement does not work; any other error that the tables do not.
func run(ctx context.Context, d *eval.Database, s statement) (outcome, error) {
	turn.Lock()
	defer turn.Unlock()
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return outcome{}, err
	}
	defer func() { _ = db.Close() }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return outcome{}, err
	}
	defer func() { _ = conn.Close() }()
	if err := prepare(ctx, conn, d); err != nil {
		return outcome{}, err
	}
	out, err := carryOut(ctx, conn, s)
	if ctx.Err() != nil {
		return outcome{}, refuse("the statement did not end in time")
	}
	return out, err
}

// prepare sets the bounds and makes the tables.
func prepare(ctx context.Context, conn *sql.Conn, d *eval.Database) error {
	if _, err := conn.ExecContext(ctx, pragmas); err != nil {
		return err
	}
	for id, most := range limits {
		if _, err := sqlite.Limit(conn, id, most); err != nil {
			return err
		}
	}
	for _, t := range d.Tables {
		if err := makeTable(ctx, conn, t); err != nil {
			return fmt.Errorf("table %q: %w", t.Name, err)
		}
	}
	return nil
}

func makeTable(ctx context.Context, conn *sql.Conn, t eval.Table) error {
	b := &builder{}
	b.write("CREATE TABLE " + quoted(t.Name) + " (")
	for i, c := range t.Columns {
		b.separate(i)
		b.write(quoted(c.Name) + " " + c.Type)
	}
	b.write(")")
	if _, err := conn.ExecContext(ctx, b.sql.String()); err != nil {
		return err
	}
	for _, row := range t.Rows {
		b := &builder{}
		b.write("INSERT INTO " + quoted(t.Name) + " VALUES (")
		for i, v := range row {
			b.separate(i)
			b.value(v)
		}
		b.write(")")
		if _, err := conn.ExecContext(ctx, b.sql.String(), b.values...); err != nil {
			return err
		}
	}
	return nil
}

func quoted(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

func carryOut(ctx context.Context, conn *sql.Conn, s statement) (outcome, error) {
	if err := checkPlan(ctx, conn, s); err != nil {
		return outcome{}, err
	}
	var out outcome
	var err error
	if out.selected = strings.HasPrefix(s.sql, "SELECT "); out.selected {
		out.rows, err = query(ctx, conn, s.sql, s.values...)
	} else {
		_, err = conn.ExecContext(ctx, s.sql, s.values...)
	}
	if err != nil {
		return outcome{}, refusal{err}
	}
	out.tables, err = readTables(ctx, conn)
	return out, err
}

// checkPlan refuses a statement that loops too often within loops, or over
// rows that no table holds.
func checkPlan(ctx context.Context, conn *sql.Conn, s statement) error {
	rows, err := conn.QueryContext(ctx, "EXPLAIN QUERY PLAN "+s.sql, s.values...)
	if err != nil {
		return refusal{err}
	}
	defer func() { _ = rows.Close() }()
	loops := 0
	for rows.Next() {
		var id, parent, unused int64
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			return err
		}
		switch word, _, _ := strings.Cut(detail, " "); {
		case strings.Contains(detail, "VIRTUAL TABLE"), strings.HasPrefix(detail, "RECURSIVE"):
			return refuse("rows can only be taken from the tables")
		case word == "SCAN", word == "SEARCH":
			loops++
		}
	}
	if loops > mostLoops {
		return refuse("the statement goes through tables %d times, more than %d", loops, mostLoops)
	}
	if err := rows.Err(); err != nil {
		return refusal{err}
	}
	return nil
}

// query reads a result as canonical rows.
func query(ctx context.Context, conn *sql.Conn, text string, args ...any) ([]string, error) {
	rows, err := conn.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	var out []string
	for rows.Next() {
		if len(out) == mostResult {
			return nil, fmt.Errorf("more than %d rows", mostResult)
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		out = append(out, canonicalRow(values))
	}
	return out, rows.Err()
}

// readTables reads all tables.
func readTables(ctx context.Context, conn *sql.Conn) ([]table, error) {
	names, err := column(ctx, conn, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY lower(name)")
	if err != nil {
		return nil, err
	}
	var out []table
	for _, name := range names {
		t := table{name: strings.ToLower(name)}
		if t.columns, err = column(ctx, conn, "SELECT lower(name) FROM pragma_table_info(?) ORDER BY cid", name); err != nil {
			return nil, err
		}
		if t.rows, err = query(ctx, conn, "SELECT * FROM "+quoted(name)); err != nil {
			return nil, err
		}
		slices.Sort(t.rows)
		out = append(out, t)
	}
	return out, nil
}

func column(ctx context.Context, conn *sql.Conn, text string, args ...any) ([]string, error) {
	rows, err := conn.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var out []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// reason is what the engine says, without its number.
func reason(err error) string {
	var engine *sqlite.Error
	if errors.As(err, &engine) {
		text, _, _ := strings.Cut(engine.Error(), " (")
		return clip(strings.TrimPrefix(text, "SQL logic error: "))
	}
	return clip(err.Error())
}
