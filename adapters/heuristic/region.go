package heuristic

import "strings"

// regionList are the states and countries that most often follow a city, one
// line each: its names and abbreviations.
const regionList = `Alabama|AL;Alaska|AK;Arizona|AZ;Arkansas|AR;California|CA;Colorado|CO;Connecticut|CT;Delaware|DE;Florida|FL;Georgia|GA
Hawaii|HI;Idaho|ID;Illinois|IL;Indiana|IN;Iowa|IA;Kansas|KS;Kentucky|KY;Louisiana|LA;Maine|ME;Maryland|MD;Massachusetts|MA;Michigan|MI
Minnesota|MN;Mississippi|MS;Missouri|MO;Montana|MT;Nebraska|NE;Nevada|NV;New Hampshire|NH;New Jersey|NJ;New Mexico|NM;New York|NY
North Carolina|NC;North Dakota|ND;Ohio|OH;Oklahoma|OK;Oregon|OR;Pennsylvania|PA;Rhode Island|RI;South Carolina|SC;South Dakota|SD
Tennessee|TN;Texas|TX;Utah|UT;Vermont|VT;Virginia|VA;Washington|WA;West Virginia|WV;Wisconsin|WI;Wyoming|WY;DC
USA|US;United States;UK|United Kingdom;England;Scotland;Wales;Ireland;France;Germany;Spain;Italy;Portugal;Austria;Switzerland;Belgium
Netherlands;Denmark;Sweden;Norway;Finland;Iceland;Poland;Greece;Turkey;Russia;Ukraine;Egypt;Morocco;Kenya;Nigeria;South Africa
India;China;Japan;South Korea;Korea;Thailand;Vietnam;Malaysia;Singapore;Indonesia;Philippines;Australia;New Zealand
Canada;Mexico;Brazil;Argentina;Chile;Peru;Colombia;Israel;UAE;Qatar`

// regions are the names of regionList.
var regions = func() map[string]bool {
	out := map[string]bool{}
	for _, name := range strings.FieldsFunc(regionList, func(r rune) bool { return strings.ContainsRune("|;\n", r) }) {
		out[name] = true
	}
	return out
}()
