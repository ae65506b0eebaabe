package logline

import (
	"strings"
	"testing"
	"time"
)

func TestWriteJSON(t *testing.T) {
	var out strings.Builder
	line := Line{
		Time:    time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC),
		Attempt: 2,
		Stream:  "stderr",
		Text:    "could not connect to smtp.example.com",
		Raw:     "\x1b[31mcould not connect to smtp.example.com\x1b[0m\n",
	}
	if err := WriteJSON(&out, line); err != nil {
		t.Fatal(err)
	}
	want := `{"time":"2026-02-03T04:05:06Z","attempt":2,"stream":"stderr","text":"could not connect to smtp.example.com"}` + "\n"
	if out.String() != want {
		t.Errorf("got %s, want %s", out.String(), want)
	}
}
