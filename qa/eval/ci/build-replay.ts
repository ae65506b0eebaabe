import type { Solution, Task } from '../task/read-tasks.ts'
import { countText, listChanged, type Tree, toPlain, toRawLines } from '../task/steps.ts'

export interface ToolCall {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

/** Maximum number of calls that the product runs in one turn. */
const MAX_CALLS = 8

/**
 * Returns the model turns that read the sources, convert one tree into the other with the product's
 * tools, and call `finish` twice, as the product requires.
 */
export function buildReplay(task: Pick<Task, 'sources'>, base: Tree, wanted: Tree, { ending }: Solution): ToolCall[][] {
  // The product rejects evidence that was not read.
  const changes = task.sources.map(({ name }) => ({ name: 'source_changes', input: { source: name } }))
  const cited = (ending.evidence ?? []).map(({ source, path }) => ({ name: 'view', input: { source, path } }))
  const reads = new Map([...changes, ...cited].map((call) => [JSON.stringify(call), call]))
  const calls = listChanged(base, wanted).flatMap((path) => toCalls(path, base.get(path), wanted.get(path)))
  const finish = { name: 'finish', input: { ...ending } }
  const turns = [[...reads.values()], ...toChunks([...calls, finish]), [finish]]
  return turns.filter((turn) => turn.length > 0)
}

function toChunks(calls: readonly ToolCall[]): ToolCall[][] {
  const count = Math.ceil(calls.length / MAX_CALLS)
  return Array.from({ length: count }, (_, n) => calls.slice(n * MAX_CALLS, (n + 1) * MAX_CALLS))
}

/**
 * Edits a file if an edit can produce the result. Deletes and recreates a file whose line endings or
 * byte order mark change.
 */
function toCalls(path: string, before: string | undefined, after: string | undefined): ToolCall[] {
  const remove = { name: 'delete', input: { path } }
  if (after === undefined) return [remove]
  const create = { name: 'create', input: { path, file_text: after } }
  if (before === undefined) return [create]
  const edit = toEdit(path, before, after)
  return edit === null ? [remove, create] : [edit]
}

/** Returns one edit that covers all differences, or null if no edit can produce these bytes. */
function toEdit(path: string, before: string, after: string): ToolCall | null {
  if (before === '' || before.startsWith('\uFEFF') !== after.startsWith('\uFEFF')) return null
  const a = toRawLines(before)
  const b = toRawLines(after)
  let head = 0
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1
  let tail = 0
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1
  // The replaced text must be unique and non-empty. Adds lines on both sides until it is.
  const plain = toPlain(before)
  for (;;) {
    const old = toPlain(a.slice(head, a.length - tail).join(''))
    const next = toPlain(b.slice(head, b.length - tail).join(''))
    if (old !== '' && old !== next && countText(plain, old) === 1) {
      return keepsEnds(a, b) ? { name: 'edit', input: { path, old_str: old, new_str: next } } : null
    }
    if (head === 0 && tail === 0) return null
    if (head > 0) head -= 1
    if (tail > 0) tail -= 1
  }
}

/** Returns true if all line endings can be kept. An edit always uses the file's line ending. */
function keepsEnds(before: readonly string[], after: readonly string[]): boolean {
  const [old, now] = [before, after].map((lines) => new Set(lines.map((line) => line.replace(/^[^\r\n]*/, ''))))
  old?.delete('')
  now?.delete('')
  return old !== undefined && now !== undefined && old.size <= 1 && [...now].every((end) => old.has(end))
}
