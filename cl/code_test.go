package cl

import "testing"

func TestCode(t *testing.T) {
	for code := range codeNames {
		if code.Error() == "" {
			t.Errorf("code %d has no name", code)
		}
	}
	if s := Code(-9).Error() + " " + Code(-5000).Error(); s != "CL_IMAGE_FORMAT_MISMATCH CL error -5000" {
		t.Error(s)
	}
}
