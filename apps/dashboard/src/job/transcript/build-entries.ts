import type { TranscriptBlock, TranscriptPage } from '@corrigenda/contracts'

type BlockOf<Type extends TranscriptBlock['type']> = Extract<TranscriptBlock, { type: Type }>

/** A tool call by the model. `result` is null while the call is pending. */
export interface ToolCall extends BlockOf<'tool_use'> {
  readonly result: BlockOf<'tool_result'> | null
}

/** One entry of the displayed transcript. */
export type Entry = { readonly key: string; readonly createdAt: string } & (
  | { readonly kind: 'run'; readonly run: TranscriptPage['runs'][number]; readonly text: string }
  | { readonly kind: 'message'; readonly text: string; readonly state: 'waiting' | 'delivered' | 'dropped' }
  | { readonly kind: 'header'; readonly block: BlockOf<'header'>; readonly isContinuation: boolean }
  /** Messages from the service to the model, such as the task, files and check findings. */
  | { readonly kind: 'input'; readonly text: string; readonly cut: number }
  | { readonly kind: 'said'; readonly text: string; readonly cut: number }
  | { readonly kind: 'thought'; readonly text: string; readonly cut: number }
  /** Consecutive tool calls with no text between them. */
  | { readonly kind: 'calls'; readonly calls: readonly ToolCall[] }
)

/**
 * Converts the transcript into a list of prompts, messages and actions, oldest first. Results are
 * attached to their calls.
 */
export function buildEntries(page: Pick<TranscriptPage, 'runs' | 'rows' | 'messages'>): Entry[] {
  const results = new Map<string, BlockOf<'tool_result'>>()
  for (const { runId, content } of page.rows) {
    for (const block of content) if (block.type === 'tool_result') results.set(`${runId} ${block.toolUseId}`, block)
  }
  const entries: Entry[] = []
  for (const run of page.runs) {
    entries.push({ kind: 'run', key: run.id, createdAt: run.createdAt, run, text: run.prompt })
    const rows = page.rows.filter(({ runId }) => runId === run.id)
    for (const { seq, role, content, createdAt, conversation } of rows) {
      for (const [index, block] of content.entries()) {
        const base = { key: `${run.id} ${seq} ${index}`, createdAt }
        const last = entries.at(-1)
        switch (block.type) {
          case 'header':
            entries.push({ kind: 'header', ...base, block, isContinuation: conversation > 0 })
            break
          case 'text': {
            if (block.text.trim() === '') break
            if (role !== 'user') entries.push({ kind: 'said', ...base, text: block.text, cut: block.cut })
            else if (last?.kind !== 'input') entries.push({ kind: 'input', ...base, text: block.text, cut: block.cut })
            else {
              const text = `${last.text}\n\n${block.text}`
              entries[entries.length - 1] = { ...last, text, cut: last.cut + block.cut }
            }
            break
          }
          case 'thinking':
            if (block.text.trim() !== '') entries.push({ kind: 'thought', ...base, text: block.text, cut: block.cut })
            break
          case 'tool_use': {
            const call = { ...block, result: results.get(`${run.id} ${block.id}`) ?? null }
            if (last?.kind === 'calls') entries[entries.length - 1] = { ...last, calls: [...last.calls, call] }
            else entries.push({ kind: 'calls', ...base, calls: [call] })
            break
          }
          default:
            break
        }
      }
    }
    entries.push(...listMessages(page, run))
  }
  return [...entries, ...listMessages(page, null)]
}

/** Number of characters of a message to find in a run's prompt. The service shortens long prompts. */
const COMPARED = 1_000

/**
 * Returns the follow-ups that were delivered to a run while it was in progress, or the undelivered
 * follow-ups if `run` is null. All other messages are run prompts.
 */
function listMessages(
  { messages, runs }: Pick<TranscriptPage, 'messages' | 'runs'>,
  run: { id: string } | null,
): Entry[] {
  return messages
    .filter(({ runId, prompt }) =>
      run === null
        ? runId === null
        : runId === run.id && !runs.some((own) => own.id === runId && own.prompt.includes(prompt.slice(0, COMPARED))),
    )
    .map(({ id, prompt, createdAt, takenAt, droppedAt }) => ({
      kind: 'message' as const,
      key: id,
      createdAt,
      text: prompt,
      state: droppedAt !== null ? 'dropped' : takenAt === null ? 'waiting' : 'delivered',
    }))
}

/** Returns true if an entry contains the query, ignoring case. */
export function matchesEntry(entry: Entry, query: string): boolean {
  return toSearchText(entry).toLowerCase().includes(query.toLowerCase())
}

function toSearchText(entry: Entry): string {
  switch (entry.kind) {
    case 'header':
      return `${entry.block.model}\n${entry.block.system}`
    case 'calls':
      return entry.calls
        .map((call) => `${call.name}\n${JSON.stringify(call.input)}\n${call.result?.text ?? ''}`)
        .join('\n')
    default:
      return entry.text
  }
}
