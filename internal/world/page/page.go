// Package page turns what a web server sent into text for a model: the bytes
// into characters as Python's requests does, HTML into Markdown, or into bare
// text as BeautifulSoup.
//
//	charset    bytes to characters
//	event      HTML as the events of Python's html.parser
//	text       BeautifulSoup's get_text
//	markdown   Markdown of our own: upstream's, by html2text, escapes and wraps more
//
// What upstream's other libraries do is held by conformance rows. Pages are
// untrusted: any bytes give a text, in time linear in their number.
package page
