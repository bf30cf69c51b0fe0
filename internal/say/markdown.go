package say

import "strings"

// markdown escapes the characters with a meaning in GitHub's and GitLab's
// Markdown as entities, which have none.
var markdown = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "|", "&#124;", "`", "&#96;", "*", "&#42;", "~", "&#126;",
	"[", "&#91;", "]", "&#93;", "#", "&#35;", "@", "&#64;", `\`, "&#92;", "://", "&#58;//", "www.", "www&#46;",
)

// Markdown makes a text safe in a Markdown table: escaped and capped as by
// Plain, without links, images, mentions and formatting.
func Markdown(s string, limit int) string { return PlainMarkdown(Plain(s, limit)) }

// PlainMarkdown escapes a printable text for Markdown.
func PlainMarkdown(s string) string { return markdown.Replace(s) }
