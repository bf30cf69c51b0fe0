package adaptertest

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
)

// Print returns a value as programs may print it: with every verb of fmt that
// could show a text, as JSON, and with both handlers of slog.
func Print(v any) []string {
	texts := []string{
		fmt.Sprint(v), fmt.Sprintf("%s", v), fmt.Sprintf("%q", v),
		fmt.Sprintf("%v", v), fmt.Sprintf("%+v", v), fmt.Sprintf("%#v", v), fmt.Sprintf("%d", v),
		fmt.Sprintf("%+v", []any{v}), fmt.Sprintf("%+v", map[string]any{"x": v}), fmt.Sprintf("%#v", struct{ X any }{v}),
	}
	if data, err := json.Marshal(v); err == nil {
		texts = append(texts, string(data))
	}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "v", v)
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "v", v)
	return append(texts, log.String())
}
