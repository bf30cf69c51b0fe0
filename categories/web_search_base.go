package categories

// webSearchBase: a web search that shows what it found of each page.
var webSearchBase = agent("web_search_base", agentGroup, searches)
