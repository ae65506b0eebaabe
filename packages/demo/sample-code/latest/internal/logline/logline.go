// Package logline reads the lines that jobs print.
package logline

import (
	"bufio"
	"encoding/json"
	"io"
	"time"
)

// maxLine is the longest line that is read as one, in bytes. The server splits longer ones.
const maxLine = 1 << 20

// Line is one line of a run's output.
type Line struct {
	Time    time.Time `json:"time"`
	Attempt int       `json:"attempt"`
	// Stream is stdout or stderr.
	Stream string `json:"stream"`
	// Text is the line without escape sequences and without its end.
	Text string `json:"text"`
	// Raw is the line as the job printed it.
	Raw string `json:"-"`
}

// record is a line as the server sends it.
type record struct {
	Line
	Raw string `json:"raw"`
}

// Each calls use for every line until the output ends.
func Each(from io.Reader, use func(Line) error) error {
	scanner := bufio.NewScanner(from)
	scanner.Buffer(nil, 2*maxLine)
	for scanner.Scan() {
		var received record
		if err := json.Unmarshal(scanner.Bytes(), &received); err != nil {
			return err
		}
		line := received.Line
		line.Raw = received.Raw
		if err := use(line); err != nil {
			return err
		}
	}
	return scanner.Err()
}
