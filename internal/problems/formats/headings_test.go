package formats

import (
	"testing"

	"github.com/clopt/clopt/internal/problems/formats/readers"
)

// Headings that number their two ends are those of edges; three of a kind, or columns of one letter, are not.
func TestHeadings(t *testing.T) {
	for line, want := range map[string]bool{
		"person1,person2,weight":      true,
		"Person A,Person B,cost":      true,
		"weight,stop_1,stop_2":        true,
		"feature1,feature2,feature3":  false,
		"x1,x2,value":                 false,
		"person1,person3,weight":      false,
		"temperature,pressure,weight": false,
	} {
		if got := readers.IsHeading([]byte(line)); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}
