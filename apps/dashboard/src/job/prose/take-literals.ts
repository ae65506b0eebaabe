import type { Block } from './block.ts'
import { type CodeFence, findCodeFence, isClosing } from './code-fence.ts'
import type { Beginning } from './find-beginning.ts'

/** Tags that are usually part of a sentence. */
const INLINE_TAG = /^<\/?(?:a|b|br|code|em|i|kbd|mark|s|span|strong|sub|sup|u)\b/i
const ONLY_TAGS = /^(?:<[^<>]*>\s*)+$/
/** Site generator container markers, link and footnote definitions, and MDX imports and exports. */
const ONE_LINE = /^(?::{3,}|!{3}\s|\[[^\]]+\]:\s|import\s.+\sfrom\s|import\s['"]|export\s)/

/**
 * Extracts the blocks that a Markdown parser cannot recognize in an excerpt of a file: front
 * matter, code that starts above the excerpt, and MDX and site generator syntax. `rest` contains
 * all lines, with empty lines in place of these blocks.
 */
export function takeLiterals(lines: readonly string[], beginning: Beginning): { blocks: Block[]; rest: string[] } {
  const blocks = takeBeginning(lines, beginning)
  let at = blocks[0]?.to ?? 0
  const rest = lines.slice(0, at).fill('')
  let open: CodeFence | null = null
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const until: string | null = open === null ? findEnd(line.trim()) : null
    if (until === null) {
      if (open === null) open = findCodeFence(line)
      else if (isClosing(line, open)) open = null
      rest.push(line)
      at += 1
      continue
    }
    const to = endLiteral(lines, at, until)
    blocks.push({ kind: 'lines', shape: 'literal', info: '', from: at, to, lines: lines.slice(at, to) })
    while (at < to) at = rest.push('')
  }
  return { blocks, rest }
}

function takeBeginning(lines: readonly string[], { isInCode, isInMatter }: Beginning): Block[] {
  if (!isInCode && !isInMatter) return []
  const shape = isInMatter ? 'matter' : 'code'
  const from = isInMatter && lines[0]?.trim() === '---' ? 1 : 0
  const isEnd = (line: string) => (isInMatter ? line.trim() === '---' : isClosing(line, { sign: '```', info: '' }))
  const end = lines.findIndex((line, index) => index >= from && isEnd(line))
  const content = lines.slice(from, end < 0 ? lines.length : end)
  return [{ kind: 'lines', shape, info: '', from: 0, to: end < 0 ? lines.length : end + 1, lines: content }]
}

/** Returns the end marker of the literal block that starts on this line, or null if none does. */
function findEnd(text: string): string | null {
  if (text.startsWith('{/*')) return '*/}'
  if (text.startsWith('<!--')) return '-->'
  if (/^<(?:\/?[A-Za-z][\w.-]*|\/?>)/.test(text)) {
    const isText = INLINE_TAG.test(text) && !ONLY_TAGS.test(text)
    return isText || /^<[a-z][a-z0-9+.-]*:/i.test(text) ? null : '>'
  }
  return ONE_LINE.test(text) ? '' : null
}

/** Returns the exclusive end of a literal block. A tag block never extends past an empty line. */
function endLiteral(lines: readonly string[], from: number, until: string): number {
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (until === '>' && line.trim() === '') return at
    if (line.includes(until)) return at + 1
  }
  return lines.length
}
