/** Code of the mail service that the site `wren` documents. */
export const WREN: Readonly<Record<string, string>> = {
  'go.mod': 'module example.com/wren\n\ngo 1.23\n\nrequire example.com/smtp v1.4.0\n',
  'message/message.go': `package message

import "errors"

const (
	maxRecipients      = 50
	maxAttachmentBytes = 10_000_000
	maxAttachments     = 25
)

// Validate returns the reason why a message is refused.
func (m *Message) Validate() error {
	if len(m.To) > maxRecipients {
		return errors.New("too many recipients")
	}
	if len(m.Attachments) > maxAttachments || m.attachedBytes() > maxAttachmentBytes {
		return errors.New("attachments are too large")
	}
	return nil
}
`,
  'bounce/retry.go': `package bounce

import "time"

const retryFor = 24 * time.Hour

// Next returns when a soft bounce is tried again. False means that it is final.
func Next(first, now time.Time, attempt int) (time.Time, bool) {
	wait := time.Duration(attempt*attempt) * time.Minute
	next := now.Add(wait)
	return next, next.Sub(first) < retryFor
}
`,
}
