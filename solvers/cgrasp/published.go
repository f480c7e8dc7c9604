package cgrasp

import (
	"fmt"
	"strings"
)

// publishedGrid has the first grid step h of the papers by configuration.
var publishedGrid = map[string]float64{"g1": 10, "g2": 0.5, "g3": 1, "g4": 5, "g5": 2, "g6": 1, "g6_w": 1, "g7": 1,
	"g8": 1}

// PublishedGRASP returns the settings of the papers, by key, for a configuration of Andrade et al. ("G1" … "G8"): every
// candidate is evaluated in full, the first improvement is taken, and one start follows the other. ok is false if the
// papers have no such configuration.
func PublishedGRASP(config string) (set map[string]string, ok bool) {
	h, ok := publishedGrid[strings.ToLower(strings.TrimPrefix(config, "classic/"))]
	return map[string]string{"evaluation": "full", "reuse": "flag", "batch": "1", "tries": "1e9", "worth": "0",
		"extend": "0", "he": "1e-7", "starts": "1", "hs": fmt.Sprint(h)}, ok
}
