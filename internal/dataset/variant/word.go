package variant

import (
	"fmt"
	"strings"
	"unicode"
)

// synonym makes a name of other words: each word that is in the list is
// replaced. A name without such a word, or whose new name is taken, gets a word
// put before it.
func synonym(d *draw, name string, function bool, at int) string {
	words := split(name)
	camel := isCamel(name)
	changed := false
	var out strings.Builder
	for i, w := range words {
		others := synonyms[strings.ToLower(w.text)]
		if len(others) == 0 {
			out.WriteString(w.text)
			continue
		}
		changed = true
		other := others[d.below(len(others))]
		out.WriteString(recased(other, w.text, camel, i > 0 || startsUpper(w.text)))
	}
	if changed && at < swapTries/2 {
		return out.String()
	}
	lead := paramLeads
	if function {
		lead = functionLeads
	}
	return led(lead[(d.below(len(lead))+at)%len(lead)], out.String(), camel)
}

// The words that are put before a name without a synonym.
var (
	functionLeads = []string{"do", "run", "perform", "handle", "serve", "apply"}
	paramLeads    = []string{"given", "wanted", "stated", "chosen", "the", "this"}
)

// led returns a name with a word before it; in a dotted name, before the last
// part.
func led(word, name string, camel bool) string {
	at := strings.LastIndexByte(name, '.') + 1
	if camel && name[at:] != "" {
		return name[:at] + word + strings.ToUpper(name[at:at+1]) + name[at+1:]
	}
	return name[:at] + word + "_" + name[at:]
}

// nameless makes a meaningless name with as many dots, because providers that
// refuse dots are shown underscores.
func nameless(d *draw, name string, function bool, _ int) string {
	const letters = "bcdfghjkmnpqrstvwxz"
	kind := "p"
	if function {
		kind = "f"
	}
	var parts []string
	for range strings.Count(name, ".") + 1 {
		parts = append(parts, fmt.Sprintf("%s%c%c%02d", kind, letters[d.below(len(letters))], letters[d.below(len(letters))], d.below(100)))
	}
	return strings.Join(parts, ".")
}

// reserved reports whether a part of a name is a keyword in one of the
// languages of calls.
func reserved(name string) bool {
	for part := range strings.SplitSeq(name, ".") {
		if keywords[part] {
			return true
		}
	}
	return false
}

var keywords = wordSet(`False None True and as assert async await break case class continue def del elif else except
	finally for from global if import in is lambda nonlocal not or pass raise return try while with yield match
	abstract boolean byte catch char const default do double enum export extends final float function goto implements
	instanceof int interface let long native new null package private protected public short static strictfp super
	switch synchronized this throw throws transient typeof undefined var void volatile true false`)

func wordSet(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

// A part of a name is a word, or what is between words.
type part struct{ text string }

// split cuts a name at underscores and dots, where digits begin or end, and
// before a capital that follows a small letter.
func split(name string) []part {
	var out []part
	from := 0
	kind := func(r rune) int {
		switch {
		case unicode.IsUpper(r):
			return 1
		case unicode.IsLetter(r):
			return 2
		case unicode.IsDigit(r):
			return 3
		}
		return 4
	}
	last := 0
	for i, r := range name {
		now := kind(r)
		if i > 0 && now != last && !(last == 1 && now == 2) {
			out = append(out, part{name[from:i]})
			from = i
		}
		last = now
	}
	return append(out, part{name[from:]})
}

func isCamel(name string) bool {
	return !strings.Contains(name, "_") && strings.ContainsFunc(name, unicode.IsUpper) && strings.ContainsFunc(name, unicode.IsLower)
}

func startsUpper(s string) bool { return s != "" && unicode.IsUpper([]rune(s)[0]) }

// recased writes words in the case of the word that they replace.
func recased(words, like string, camel, upper bool) string {
	fields := strings.Fields(words)
	switch {
	case len(like) > 1 && like == strings.ToUpper(like):
		return strings.ToUpper(strings.Join(fields, "_"))
	case camel:
		for i, f := range fields {
			if i > 0 || upper && startsUpper(like) {
				fields[i] = strings.ToUpper(f[:1]) + f[1:]
			}
		}
		return strings.Join(fields, "")
	case startsUpper(like):
		for i, f := range fields {
			fields[i] = strings.ToUpper(f[:1]) + f[1:]
		}
	}
	return strings.Join(fields, "_")
}

// synonyms maps words of names to words with the same meaning in a name. The
// list is this project's own.
var synonyms = readWords(`
account: client record
action: deed
activity: pursuit
add: append; put in
address: street address; postal address
age: years old
algorithm: procedure
amount: quantity; sum
analysis: examination
analyze: examine; inspect
angle: slope angle
area: surface
arrival: coming in
array: series
article: piece
artist: performer; musician
assign: allot
author: writer
average: mean
balance: funds left
base: bottom
begin: start
book: reserve
body: main part
budget: spending limit
build: construct
building: edifice
business: enterprise
buy: purchase
calc: compute
calculate: compute; work out
calculator: computing tool
cancel: call off
car: automobile
category: class; kind
change: alter; modify
chapter: section
check: verify; test
child: minor
choose: pick
city: town; municipality
classify: sort into classes
clean: tidy
close: shut
code: cipher
color: hue; tint
colour: hue; tint
column: field
command: instruction
company: firm; corporation
compare: contrast
computer: machine
config: settings
configuration: settings
connect: link up
contact: reach
content: substance
convert: transform; turn over
cost: expense; charge
count: number; tally
country: nation; state
course: class
create: make; set up
currency: money unit
current: present
customer: client; patron
data: records
database: data store
date: day; calendar day
day: date
days: day count
deadline: due date
delete: remove; erase
delivery: shipment
density: mass per volume
departure: leaving
depth: deepness
description: explanation; summary
destination: target place
detail: particular
details: particulars
detect: spot
determine: establish
diameter: width across
dictionary: mapping
difference: gap
directory: folder
dish: meal
display: show
distance: how far; span
doctor: physician
document: paper
duration: length of time; time span
edit: revise
elevation: height above sea
email: mail
employee: worker; staff member
enable: switch on
encode: encipher
end: finish; stop
energy: work content
equation: formula
estimate: assess; approximate
event: occasion
exchange: swap
expression: formula
extract: pull out
factor: multiplier
fetch: get; obtain
field: column
file: document
filter: sieve; narrow
final: last
find: locate; look up
flight: plane trip
folder: directory
food: nourishment
force: push
format: layout; notation
formula: expression
frequency: how often
from: out of
function: mapping
game: match
gender: sex
generate: produce; make
genre: style
get: fetch; retrieve; obtain
grade: mark
group: bunch
guest: visitor
guests: visitors
height: tallness
history: past
hotel: inn
hour: hours mark
hours: hour count
house: home
id: identifier; key
image: picture
income: earnings
index: position
info: information
information: facts; details
ingredient: component
ingredients: components
initial: starting; first
input: entry
insert: put in
interest: yield
interval: gap
investment: capital placed
item: article; thing
items: articles; things
job: position
key: handle
keyword: search term
keywords: search terms
language: tongue
latitude: north south position
length: extent
level: tier
limit: cap; ceiling
list: listing; enumerate
load: read in
location: place; spot; site
log: journal
login: sign in
longitude: east west position
mass: bulk
match: game
material: substance
max: most
maximum: most
measure: gauge
medication: medicine
meeting: gathering
member: participant
message: note; text
method: way; manner
min: least
minimum: least
minute: minutes mark
minutes: minute count
mode: manner
model: version
modify: alter
month: calendar month
months: month count
move: shift
movie: film
music: tunes
name: title; label
new: fresh
news: headlines
note: remark
notes: remarks
num: count
number: count; figure
object: thing
open: unlock
operation: procedure
optimize: improve
option: choice
options: choices
order: purchase
origin: starting place
output: outcome
owner: holder
page: sheet
parameter: setting
password: secret phrase
path: route
patient: sick person
payment: remittance
people: persons
percent: percentage
percentage: percent
period: time span
person: individual
phone: telephone
photo: picture
place: location
plan: scheme
play: put on
player: competitor
point: spot
population: inhabitants
position: place
predict: forecast
preference: liking
preferences: likings
pressure: press force
price: cost
principal: capital
print: write out
probability: chance; likelihood
process: treat
product: goods
profile: portrait
project: undertaking
property: estate
purchase: acquisition
quantity: amount
query: search text
question: inquiry
radius: half width
range: span
rate: ratio
rating: mark
ratio: proportion
read: peruse
recipe: cooking guide
recommend: suggest
record: entry
region: area
register: enroll
remove: delete; take away
rename: relabel
rent: let
replace: exchange
report: account
request: ask for
reservation: booking
reserve: book
resolve: settle
restaurant: eatery
result: outcome
results: outcomes
retrieve: fetch; get
return: give back
reverse: flip
review: appraisal
role: part
room: chamber
route: way
row: line
run: carry out
salary: pay
save: store
schedule: plan
school: place of learning
score: mark
search: look for; seek
season: time of year
seat: place
second: seconds mark
seconds: second count
section: part
select: pick
sell: vend
send: dispatch; transmit
sentence: phrase
sequence: series
service: offering
session: sitting
set: put
shape: form
share: pass on
shop: store
show: display
simulate: imitate
size: extent; dimension
solve: resolve
song: track; tune
sort: arrange
source: origin
species: kind of organism
specific: particular
speed: velocity; pace
sport: athletics
start: begin
starting: beginning
state: province
station: stop
status: condition; standing
step: stage
stock: share
stop: halt
store: shop
street: road
string: text
student: pupil; learner
style: manner
subject: theme
submit: hand in
sum: total
summary: digest
table: grid
tag: label
target: goal
task: assignment
tax: levy
team: squad
temperature: warmth; degrees
temp: warmth
term: time span
test: trial
text: wording; passage
threshold: cutoff
ticket: pass
time: clock time; hour
timeout: wait limit
timestamp: moment
timezone: time zone
title: heading
token: pass key
tool: instrument
topic: subject
total: overall; whole
track: follow
train: railway
transaction: deal
transfer: move over
translate: render
travel: journey
trip: journey
turn: rotate
type: kind; sort
unit: measure
units: measures
update: refresh; revise
upload: send up
url: web address
user: account holder; person
username: account name
validate: verify
value: figure
values: figures
vector: arrow
vehicle: conveyance
velocity: speed
verify: confirm
version: edition
video: clip
view: look at
visit: call at
voltage: potential
volume: capacity
weather: climate conditions
website: web site
week: seven days
weight: heaviness
width: breadth
word: term
words: terms
work: labor
write: put down
year: calendar year
years: year count
zip: postal
`)

func readWords(list string) map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(strings.TrimSpace(list)) {
		word, others, _ := strings.Cut(strings.TrimSpace(line), ":")
		for other := range strings.SplitSeq(others, ";") {
			out[word] = append(out[word], strings.TrimSpace(other))
		}
	}
	return out
}
