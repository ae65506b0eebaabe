import { listOmissions, type Release } from '@corrigenda/agent/loop'
import type { SourcesRead, StoredRow, TranscriptRow } from '@corrigenda/agent/model'
import { findToolCall, type NewJobEvent, toCallSubject } from '@corrigenda/contracts'
import { redactValue } from '@corrigenda/git/text'

/** Characters of the text of one reply in events. */
const MAX_TEXT = 300
const NO_SUBJECT = { subject: null, target: null, source: null }

/**
 * Builds a function that returns the events of new rows as they may leave the instance. Each text is
 * compared together with all texts before it, also those of earlier attempts.
 * @param stored rows from the run's earlier attempts
 */
export function buildRunEvents(stored: readonly StoredRow[], release: Release, secrets: readonly string[]) {
  let earlier = stored
  const list = async (rows: readonly StoredRow[], reads: SourcesRead): Promise<NewJobEvent[]> => {
    const events: NewJobEvent[] = []
    for (const { row } of rows) events.push(...(await withhold(toEvents(row, secrets), reads, release)))
    return events
  }
  return async (rows: readonly StoredRow[], reads: SourcesRead): Promise<NewJobEvent[]> => {
    await list(earlier, reads)
    earlier = []
    return await list(rows, reads)
  }
}

/**
 * Returns the job events for a message: prompts that the model received in part, the model's whole
 * text, and each tool call with its subject.
 */
function toEvents(row: TranscriptRow, secrets: readonly string[]): NewJobEvent[] {
  // Redacts before truncating, because a truncated credential is not recognized.
  const show = (text: string, max: number) => redactValue(text, secrets).slice(0, max)
  if (row.role === 'user') {
    return listOmissions(row.content).map((data): NewJobEvent => ({ type: 'prompt.shortened', data }))
  }
  if (row.role !== 'assistant') return []
  return row.content.flatMap((block): NewJobEvent[] => {
    if (block.type === 'text' && block.text.trim() !== '') {
      return [{ type: 'agent.said', data: { text: redactValue(block.text.trim(), secrets) } }]
    }
    if (block.type !== 'tool_use') return []
    const call = findToolCall(block)
    const { subject, target, source } = call === null ? NO_SUBJECT : toCallSubject(call)
    return [
      {
        type: 'tool.called',
        data: {
          tool: show(block.name, 64),
          subject: subject === null ? null : show(subject, 120),
          ...(target === null ? {} : { target: show(target, 120) }),
          ...(source === null ? {} : { source: show(source, 64) }),
        },
      },
    ]
  })
}

/**
 * Returns the events of one message without texts and subjects that repeat a private source. Texts
 * are compared as a whole, and then shortened to {@link MAX_TEXT} characters in total.
 */
async function withhold(events: NewJobEvent[], reads: SourcesRead, release: Release): Promise<NewJobEvent[]> {
  const said = events.flatMap((event) => (event.type === 'agent.said' ? [event.data.text] : []))
  const texts = [...(await release(said, reads, 'text'))]
  let left = MAX_TEXT
  const safe: NewJobEvent[] = []
  for (const event of events) {
    if (event.type === 'agent.said') {
      const text = (texts.shift() ?? '').slice(0, left)
      left -= text.length
      if (text !== '') safe.push({ ...event, data: { text } })
    } else if (event.type === 'tool.called') {
      const { subject, target } = event.data
      const [shown = '', shownTarget = ''] = await release([subject ?? '', target ?? ''], reads, 'message')
      const data = { ...event.data, subject: subject === null ? null : shown }
      safe.push({ ...event, data: target === undefined ? data : { ...data, target: shownTarget } })
    } else safe.push(event)
  }
  return safe
}
