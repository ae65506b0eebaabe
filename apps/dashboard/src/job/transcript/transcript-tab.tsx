import type { TranscriptPage } from '@corrigenda/contracts'
import { useDeferredValue, useMemo, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Field } from '../../components/field.tsx'
import { saveText } from '../changes/save-text.ts'
import { buildEntries, matchesEntry } from './build-entries.ts'
import { EntryView } from './entry-view.tsx'

/** The conversation between the agent and the model, oldest first. */
export function TranscriptTab({ jobId, page }: { jobId: string; page: TranscriptPage }) {
  const [query, setQuery] = useState('')
  const wanted = useDeferredValue(query.trim())
  const entries = useMemo(() => buildEntries(page), [page])
  const shown = useMemo(
    () => (wanted === '' ? entries : entries.filter((entry) => matchesEntry(entry, wanted))),
    [entries, wanted],
  )
  return (
    <div className="transcript">
      <div className="transcript-bar spread">
        <Field
          label="Search the transcript"
          type="search"
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          hint={wanted === '' ? undefined : `${shown.length} of ${entries.length} entries`}
        />
        <Button
          variant="quiet"
          onClick={() => saveText(`${jobId}.transcript.json`, JSON.stringify(page, null, 2), 'application/json')}
        >
          Download JSON
        </Button>
      </div>
      {page.runs.some((run) => run.transcriptRemovedAt !== null) ? (
        <p className="muted">Older parts of this transcript were removed because their retention period has passed.</p>
      ) : null}
      {entries.length === 0 ? (
        <EmptyState title="No messages">
          <p>This tab shows the agent's messages and tool calls.</p>
        </EmptyState>
      ) : (
        <ol className="stack gap-3">
          {shown.map((entry) => (
            <li key={entry.key} className="transcript-entry" data-testid="transcript-entry" data-kind={entry.kind}>
              <EntryView entry={entry} isFound={wanted !== ''} />
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
