import type { DocSite } from '../model/doc-site.ts'
import { type PageHeading, reduceId } from '../model/read-page.ts'
import type { Fault } from './fault.ts'

interface HeadingChange {
  readonly before: DocSite
  readonly after: DocSite
  readonly page: string
  readonly heading: PageHeading
  readonly newHeading: string
}

/**
 * Judges a renamed heading: only the heading's line and anchors that lead to it may differ, and
 * every anchor that led to it leads to an id of the page.
 */
export function judgeHeading({ before, after, page, heading, newHeading }: HeadingChange): Fault[] {
  const faults: Fault[] = []
  const id = reduceId(heading.text)
  const ids = after.pages.get(page)?.ids
  for (const path of before.tree.paths) {
    const [old, now] = [before.tree.text(path), after.tree.text(path)]
    if (old === now) continue
    if (old === null || now === null) {
      faults.push({ kind: 'damage', file: path, line: null, message: 'the file is gone or no longer text' })
      continue
    }
    const [lines, newLines] = [old.split('\n'), now.split('\n')]
    if (lines.length !== newLines.length)
      faults.push({
        kind: 'damage',
        file: path,
        line: null,
        message: `${lines.length} lines became ${newLines.length}`,
      })
    for (const [at, line] of lines.entries()) {
      const other = newLines[at] ?? ''
      if (line === other) continue
      const isHeading = path === page && other.includes(newHeading) && line.includes(heading.text)
      if (isHeading ? isSameBut(line, other, heading.text, newHeading) : isSameButAnchors(line, other, id)) continue
      faults.push({
        kind: 'damage',
        file: path,
        line: at + 1,
        message: `${line.slice(0, 120)} → ${other.slice(0, 120)}`,
      })
    }
  }
  if (after.pages.get(page)?.headings.some(({ text }) => text.startsWith(newHeading)) !== true)
    faults.push({ kind: 'damage', file: page, line: null, message: 'the new heading is missing' })
  for (const { page: source, at, anchor } of before.inbound.get(page) ?? []) {
    if (anchor === null || reduceId(anchor) !== id) continue
    const target = after.targets.get(source.path)?.[at]
    if (target?.file === page && target.anchor !== null && ids?.has(reduceId(target.anchor)) === true) continue
    const line = source.links[at]?.line ?? null
    faults.push({ kind: 'stale', file: source.path, line, message: `#${anchor} no longer leads to the heading` })
  }
  return faults
}

/** True if the lines differ only in the heading's words and an id after it. */
function isSameBut(line: string, other: string, old: string, now: string): boolean {
  const [start, end] = [line.indexOf(old), line.indexOf(old) + old.length]
  const rest = other.slice(other.indexOf(now) + now.length)
  return other.startsWith(line.slice(0, start) + now) && (rest === line.slice(end) || /^\s*\{.*#.*\}\s*$/.test(rest))
}

/** True if the lines differ only in anchors, and the old ones were those of the heading. */
function isSameButAnchors(line: string, other: string, id: string): boolean {
  const ANCHOR = /#[^\s)"'>\]}]+/g
  const [old, now] = [line.match(ANCHOR) ?? [], other.match(ANCHOR) ?? []]
  if (line.replaceAll(ANCHOR, '#') !== other.replaceAll(ANCHOR, '#') || old.length !== now.length) return false
  return old.every((anchor, at) => anchor === now[at] || reduceId(decode(anchor)) === id)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
