package input

import (
	"strings"
	"testing"
)

// Tables have labels only where these leave no doubt.
func TestLabels(t *testing.T) {
	for text, want := range map[string]string{
		",a,b\na,1,2\nb,3,4": "a b, index", ";\"a a\";b\r\na a;1;2\r\n\r\nb;3;4\r\n": "a a b, index",
		",\"a, b\",\"c \"\"d\"\"\"\n\"a, b\",1,2\n\"c \"\"d\"\"\",3,4": "a, b c \"d\", index",
		"# by hand\n,a,1\n% and\na,1,2\n\n1,3,4\n":                     "a 1, index",
		",0,1\n0,1,2\n1,3,4\n":                                         "0 1, index",
		" 0 1 2\n0 1 2 3\n1 4 5 6\n2 7 8 9\n":                          "0 1 2, index",
		"a,b,c,d\n1,2,3,4\n1,2,3,4\n1,2,3,4\n1,2,3,4\n":                "a b c d",
		"0,1,2,3\n1,2,3,4\n1,2,3,4\n1,2,3,4\n1,2,3,4\n":                "0 1 2 3",

		"i,j,w\n1,2,3\n2,3,4\n3,1,4\n": "", "a,b\n1,2\n2,3\n": "", "2 3\n1 2 5\n2 3 4\n": "",
		",a,b\na,1,2\nc,3,4\n": "", ",a,a\na,1,2\na,3,4\n": "", ",a,b\na,1,2\nb,3\n": "", ",a,b\na,1,2\n": "",
		",a,b\na,1,2\nb,3,4\nc,5,6\n": "", ",1,2\n1,1,2\n2,3,4\n": "", "0 1 2\n0 1 2\n1 2 3\n": "", "": "",
		"0,0,1,0\n1,2,3,4\n1,2,3,4\n1,2,3,4\n1,2,3,4\n": "", "# a b\n# c d e\n3 3\n": "",
	} {
		line, _, _ := strings.Cut(strings.TrimPrefix(text, "# by hand\n"), "\n")
		l := LabelsOf([]byte(text), Separator([]byte(line)), false)
		got := strings.Join(l.Names, " ")
		if l.Index {
			got += ", index"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
