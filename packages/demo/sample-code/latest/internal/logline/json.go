package logline

import (
	"encoding/json"
	"io"
)

// WriteJSON writes a line as one JSON object, followed by a newline.
func WriteJSON(out io.Writer, line Line) error {
	return json.NewEncoder(out).Encode(line)
}
