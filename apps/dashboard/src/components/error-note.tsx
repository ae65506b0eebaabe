import { toSentence } from '../api/request.ts'
import { Icon } from './icon.tsx'

interface ErrorNoteProps {
  /** Any thrown value, or a message. */
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
}

/** An error message, with an optional button to try again. */
export function ErrorNote({ error, onRetry }: ErrorNoteProps) {
  return (
    <div className="notice" data-tone="bad" role="alert">
      <Icon name="warning" />
      <p className="grow">{toSentence(error)}</p>
      {onRetry ? (
        <button type="button" className="error-note-retry" onClick={onRetry}>
          Try again
        </button>
      ) : null}
    </div>
  )
}
