// Package page turns what a web server sent into text for a model: the bytes
// into characters as Python's requests does, HTML into Markdown as html2text
// with its defaults, or into bare text as BeautifulSoup.
//
//	charset    bytes to characters
//	event      HTML as the events of Python's html.parser
//	text       BeautifulSoup's get_text
//	markdown   html2text: tags to marks
//	output     html2text: spaces, paragraphs, quotes, indents
//	wrap       html2text: lines of 78 columns; Python's textwrap
//
// What upstream's libraries do is held by conformance rows. Pages are
// untrusted: any bytes give a text, in time linear in their number.
package page
