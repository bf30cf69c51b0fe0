package tally
