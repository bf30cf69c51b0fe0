package exec

import (
	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Function is one function that models may call.
type Function struct {
	// Name is the name in calls.
	Name string
	// Params are the parameters in order.
	Params []Param
	// Key is the environment variable with the key of the API that the
	// function asks; "" if it needs none.
	Key string

	run func(f *frame, a []pyval.Value) pyval.Value
}

// A Param is a declared parameter.
type Param = pycall.Param

// params are required parameters.
func params(names ...string) []Param {
	out := make([]Param, len(names))
	for i, name := range names {
		out[i].Name = name
	}
	return out
}

func optional(name string, value pyval.Value) Param { return Param{Name: name, Default: value} }

// functions is filled by init.
var functions []Function

var byName map[string]*Function

// Lookup returns the function of a name; nil if there is none.
func Lookup(name string) *Function { return byName[name] }

// init fills the table. It cannot be a variable's initializer: one of the
// functions evaluates texts that may name any of them.
func init() {
	functions = []Function{
		{Name: "add_binary_numbers", Params: params("a", "b"), run: addBinaryNumbers},
		{Name: "book_room", Params: append(params("room_type", "price", "check_in_date", "check_out_date", "customer_id"), optional("discount_code", pyval.None)), run: bookRoom},
		{Name: "calc_binomial_probability", Params: params("n", "k", "p"), run: binomialProbability},
		{Name: "calculate_cosine_similarity", Params: params("vectorA", "vectorB"), run: cosineSimilarity},
		{Name: "calculate_density", Params: params("mass", "volume"), run: density},
		{Name: "calculate_displacement", Params: params("initial_velocity", "acceleration", "time"), run: displacement},
		{Name: "calculate_electrostatic_potential_energy", Params: params("charge", "voltage"), run: electrostaticEnergy},
		{Name: "calculate_final_velocity", Params: params("initial_velocity", "acceleration", "time"), run: finalVelocity},
		{Name: "calculate_future_value", Params: params("present_value", "interest_rate", "periods"), run: futureValue},
		{Name: "calculate_investment_value", Params: append(params("initial_investment", "annual_contribution", "years", "annual_return", "inflation_rate"), optional("adjust_for_inflation", pyval.Bool(true))), run: investmentValue},
		{Name: "calculate_mean", Params: params("numbers"), run: mean},
		{Name: "calculate_nutritional_needs", Params: params("weight", "height", "age", "gender", "activity_level", "goal"), run: nutritionalNeeds},
		{Name: "calculate_permutations", Params: params("n", "k"), run: permutations},
		{Name: "calculate_standard_deviation", Params: params("numbers"), run: standardDeviation},
		{Name: "calculate_triangle_area", Params: params("base", "height"), run: triangleArea},
		{Name: "convert_currency", Params: params("amount", "from_currency", "to_currency"), Key: exchangeKey.Variable, run: convertCurrency},
		{Name: "estimate_derivative", Params: params("function", "x"), run: estimateDerivative},
		{Name: "find_term_on_urban_dictionary", Params: params("term"), Key: rapidKey.Variable, run: urbanTerm},
		{Name: "geometry_area_circle", Params: params("radius"), run: circleArea},
		{Name: "get_active_covid_case_by_country", Params: params("country"), Key: rapidKey.Variable, run: covidCases},
		{Name: "get_company_name_by_stock_name", Params: params("stock_name"), Key: rapidKey.Variable, run: companyName},
		{Name: "get_coordinate_by_ip_address", Params: params("ip_address"), run: ipCoordinates},
		{Name: "get_coordinates_from_city", Params: params("city_name"), Key: geocodeKey.Variable, run: cityCoordinates},
		{Name: "get_covid_death_by_country", Params: params("country"), Key: rapidKey.Variable, run: covidDeaths},
		{Name: "get_distance", Params: params("pointA", "pointB"), run: distance},
		{Name: "get_fibonacci_number", Params: params("n"), run: fibonacciNumber},
		{Name: "get_fibonacci_sequence", Params: params("n"), run: fibonacciSequence},
		{Name: "get_movie_director", Params: params("movie_name"), Key: omdbKey.Variable, run: movieDirector},
		{Name: "get_movie_rating", Params: params("movie_name"), Key: omdbKey.Variable, run: movieRating},
		{Name: "get_price_by_amazon_ASIN", Params: params("ASIN"), Key: rapidKey.Variable, run: amazonPrice},
		{Name: "get_prime_factors", Params: params("number"), run: primeFactors},
		{Name: "get_product_name_by_amazon_ASIN", Params: params("ASIN"), Key: rapidKey.Variable, run: amazonTitle},
		{Name: "get_rating_by_amazon_ASIN", Params: params("ASIN"), Key: rapidKey.Variable, run: amazonRating},
		{Name: "get_stock_history", Params: append(params("stock_name", "interval"), optional("diffandsplits", pyval.Str("true"))), Key: rapidKey.Variable, run: stockHistory},
		{Name: "get_stock_price_by_stock_name", Params: params("stock_name"), Key: rapidKey.Variable, run: stockPrice},
		{Name: "get_time_zone_by_coord", Params: params("long", "lat"), Key: rapidKey.Variable, run: timeZone},
		{Name: "get_weather_data", Params: params("coordinates"), run: weather},
		{Name: "get_zipcode_by_ip_address", Params: params("ip_address"), run: ipZipcode},
		{Name: "linear_regression", Params: params("x", "y", "point"), run: linearRegression},
		{Name: "mat_mul", Params: params("matA", "matB"), run: matMul},
		{Name: "math_factorial", Params: params("n"), run: mathFactorial},
		{Name: "math_gcd", Params: params("a", "b"), run: mathGCD},
		{Name: "math_lcm", Params: params("a", "b"), run: mathLCM},
		{Name: "maxPoints", Params: params("points"), run: maxPoints},
		{Name: "mortgage_calculator", Params: params("loan_amount", "interest_rate", "loan_period"), run: mortgage},
		{Name: "order_food", Params: params("item", "quantity", "price"), run: orderFood},
		{Name: "polygon_area", Params: params("vertices"), run: polygonArea},
		{Name: "quadratic_roots", Params: params("a", "b", "c"), run: quadraticRoots},
		{Name: "retrieve_city_based_on_zipcode", Params: params("zipcode"), run: zipcodeCity},
		{Name: "retrieve_holiday_by_year", Params: params("country", "year"), run: holidays},
		{Name: "sort_array", Params: append(params("array"), optional("reverse", pyval.Bool(false))), run: sortArray},
	}
	byName = make(map[string]*Function, len(functions))
	for i := range functions {
		byName[functions[i].Name] = &functions[i]
	}
}
