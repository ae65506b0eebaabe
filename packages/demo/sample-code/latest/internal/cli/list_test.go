package cli

import (
	"strings"
	"testing"
	"time"

	"tidewater.example/tidewater/internal/client"
)

func TestListAsText(t *testing.T) {
	now := time.Date(2026, 2, 3, 12, 0, 0, 0, time.UTC)
	jobs := jobList{
		{Name: "export-orders", Last: client.Run{State: "succeeded", EndedAt: now.Add(-6 * time.Minute)}, Next: now.Add(9 * time.Minute)},
		{Name: "export-stock", Last: client.Run{State: "failed", EndedAt: now.Add(-time.Hour)}, Next: now.Add(9 * time.Minute)},
	}
	var out strings.Builder
	if err := printTable(&out, "text", jobs, now); err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		"JOB             LAST        ENDED           NEXT",
		"export-orders   succeeded   6 minutes ago   in 9 minutes",
		"export-stock    failed      1 hour ago      in 9 minutes",
		"",
	}, "\n")
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
