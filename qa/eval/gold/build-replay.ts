import type { Ending } from '../task/task.ts'
import { countText, listChanged, type Tree, toPlain, toRawLines } from '../task/tree.ts'

export interface ToolCall {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

/** Maximum number of calls that the product runs in one turn. */
const MAX_CALLS = 8

/**
 * Returns the model turns that convert one tree into the other with the product's tools and then
 * call `finish` twice, as the product requires. Files are edited if an edit can produce the result.
 * Files whose line endings or byte order mark change are deleted and recreated.
 */
export function buildReplay(base: Tree, wanted: Tree, ending: Ending): ToolCall[][] {
  const calls = listChanged(base, wanted).flatMap((path) => toCalls(path, base.get(path), wanted.get(path)))
  const turns: ToolCall[][] = []
  for (let start = 0; start < calls.length; start += MAX_CALLS) turns.push(calls.slice(start, start + MAX_CALLS))
  const finish = { name: 'finish', input: { ...ending } }
  const last = turns.at(-1)
  if (last !== undefined && last.length < MAX_CALLS) last.push(finish)
  else turns.push([finish])
  return [...turns, [finish]]
}

function toCalls(path: string, before: string | undefined, after: string | undefined): ToolCall[] {
  const remove = { name: 'delete', input: { path } }
  const create = (text: string) => ({ name: 'create', input: { path, file_text: text } })
  if (after === undefined) return [remove]
  if (before === undefined) return [create(after)]
  const edits = toEdits(path, before, after)
  return edits ?? [remove, create(after)]
}

/** Returns one edit that covers all differences, or null if no edit can produce these bytes. */
function toEdits(path: string, before: string, after: string): ToolCall[] | null {
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
      return keepsEnds(before, after) ? [{ name: 'edit', input: { path, old_str: old, new_str: next } }] : null
    }
    if (head === 0 && tail === 0) return null
    if (head > 0) head -= 1
    if (tail > 0) tail -= 1
  }
}

/** Returns true if all line endings can be kept. An edit always uses the file's line ending. */
function keepsEnds(before: string, after: string): boolean {
  const endings = (text: string) => new Set(toRawLines(text).map((line) => /[\r\n]*$/.exec(line)?.[0] ?? ''))
  const [old, now] = [endings(before), endings(after)]
  old.delete('')
  now.delete('')
  return old.size <= 1 && now.size <= 1 && [...now].every((end) => old.has(end))
}
