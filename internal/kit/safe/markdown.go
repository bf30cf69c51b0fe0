package safe

import "strings"

// markdown are the characters that mean something in GitHub's and GitLab's
// Markdown. As entities they mean nothing.
var markdown = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "|", "&#124;", "`", "&#96;", "*", "&#42;", "~", "&#126;",
	"[", "&#91;", "]", "&#93;", "#", "&#35;", "@", "&#64;", `\`, "&#92;", "://", "&#58;//", "www.", "www&#46;",
)

// Markdown makes a text safe in a Markdown table: escaped and capped as Plain
// does, without links, images, mentions and marks.
func Markdown(s string, limit int) string { return PlainMarkdown(Plain(s, limit)) }

// PlainMarkdown is Markdown for a text that was made printable before.
func PlainMarkdown(s string) string { return markdown.Replace(s) }
