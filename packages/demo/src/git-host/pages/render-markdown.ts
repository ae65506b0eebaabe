import { type Html, html } from './html.ts'
import { renderInline } from './render-inline.ts'
import { isTableStart, renderTable } from './render-table.ts'

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/
const QUOTE = /^ {0,3}> ?(.*)$/
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)]) +(.*)$/
const MAX_DEPTH = 6

interface Block {
  readonly markup: Html
  /** Number of lines it took. */
  readonly taken: number
}

/**
 * The part of Markdown that pull requests are written in: headings, lists, quotes, tables, code, folded sections and, within lines,
 * what renderInline knows. HTML is shown as text, except `<details>` and comments, which are not shown.
 */
export function renderMarkdown(text: string): Html {
  return renderBlocks(text.replace(/\r\n?/g, '\n').split('\n'), 0)
}

function renderBlocks(lines: readonly string[], depth: number): Html {
  if (depth > MAX_DEPTH) return html`<p>${lines.join('\n')}</p>`
  const blocks: Html[] = []
  for (let at = 0; at < lines.length; ) {
    const block = readBlock(lines, at, depth)
    blocks.push(block.markup)
    at += Math.max(1, block.taken)
  }
  return html`${blocks}`
}

function readBlock(lines: readonly string[], at: number, depth: number): Block {
  const line = lines[at] ?? ''
  if (line.trim() === '') return { markup: html``, taken: 1 }
  const fence = FENCE.exec(line)
  if (fence) return readCode(lines, at, fence[1] ?? '```', fence[2]?.trim() ?? '')
  const heading = HEADING.exec(line)
  if (heading) return { markup: renderHeading(heading[1]?.length ?? 1, heading[2] ?? ''), taken: 1 }
  if (RULE.test(line)) return { markup: html`<hr>`, taken: 1 }
  if (QUOTE.test(line)) return readQuote(lines, at, depth)
  if (ITEM.test(line)) return readList(lines, at, depth)
  if (isTableStart(lines, at)) return renderTable(lines, at)
  if (line.trimStart().startsWith('<!--')) return readComment(lines, at)
  if (/^ {0,3}<details>/i.test(line)) return readDetails(lines, at, depth)
  return readParagraph(lines, at)
}

function startsBlock(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? ''
  const plain = [FENCE, HEADING, RULE, QUOTE, ITEM, /^ {0,3}<(!--|\/?details>)/i].some((pattern) => pattern.test(line))
  return line.trim() === '' || plain || isTableStart(lines, at)
}

/** The page has taken the first level for its own title. */
function renderHeading(level: number, text: string): Html {
  const inner = renderInline(text)
  if (level === 1) return html`<h2>${inner}</h2>`
  if (level === 2) return html`<h3>${inner}</h3>`
  return html`<h4>${inner}</h4>`
}

function readCode(lines: readonly string[], at: number, fence: string, language: string): Block {
  const closing = new RegExp(`^ {0,3}${fence.charAt(0)}{${fence.length},}[ \\t]*$`)
  let end = at + 1
  while (end < lines.length && !closing.test(lines[end] ?? '')) end += 1
  const code = lines.slice(at + 1, end).join('\n')
  return {
    markup: html`<pre class="code" data-language="${language.split(/\s/)[0] ?? ''}"><code>${code}</code></pre>`,
    taken: end - at + 1,
  }
}

function readQuote(lines: readonly string[], at: number, depth: number): Block {
  let end = at
  while (end < lines.length && QUOTE.test(lines[end] ?? '')) end += 1
  const inside = lines.slice(at, end).map((line) => QUOTE.exec(line)?.[1] ?? '')
  return { markup: html`<blockquote>${renderBlocks(inside, depth + 1)}</blockquote>`, taken: end - at }
}

function readList(lines: readonly string[], at: number, depth: number): Block {
  const ordered = /\d/.test(ITEM.exec(lines[at] ?? '')?.[2] ?? '')
  const items: Html[] = []
  let next = at
  while (next < lines.length) {
    const item = ITEM.exec(lines[next] ?? '')
    if (!item || /\d/.test(item[2] ?? '') !== ordered) break
    const indent = (item[1]?.length ?? 0) + (item[2]?.length ?? 0) + 1
    const inside = [item[3] ?? '']
    next += 1
    while (next < lines.length && continuesItem(lines, next, indent)) {
      inside.push((lines[next] ?? '').replace(new RegExp(`^ {0,${indent}}`), ''))
      next += 1
    }
    items.push(renderItem(inside, depth))
  }
  return { markup: ordered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`, taken: next - at }
}

/** Indented lines belong to the item, empty ones when more of it follows, and lines of a paragraph that goes on. */
function continuesItem(lines: readonly string[], at: number, indent: number): boolean {
  const line = lines[at] ?? ''
  const isIndented = (text: string): boolean => text.startsWith(' '.repeat(Math.min(indent, 2)))
  if (line.trim() === '') return (lines[at + 1] ?? '').trim() !== '' && isIndented(lines[at + 1] ?? '')
  return isIndented(line) || (!startsBlock(lines, at) && (lines[at - 1] ?? '').trim() !== '')
}

function renderItem(inside: readonly string[], depth: number): Html {
  const [, box, rest] = /^\[([ xX])\] +(.*)$/.exec(inside[0] ?? '') ?? []
  const lines = box === undefined ? inside : [rest ?? '', ...inside.slice(1)]
  const mark = html`<span class="box">${box === ' ' ? '☐' : '☑'}</span> `
  const single = lines.length === 1 ? renderInline(lines[0] ?? '') : renderBlocks(lines, depth + 1)
  return box === undefined ? html`<li>${single}</li>` : html`<li class="task">${mark}${single}</li>`
}

function readComment(lines: readonly string[], at: number): Block {
  let end = at
  while (end < lines.length && !lines[end]?.includes('-->')) end += 1
  const after = lines[end]?.split('-->').slice(1).join('-->').trim() ?? ''
  return { markup: after === '' ? html`` : html`<p>${renderInline(after)}</p>`, taken: end - at + 1 }
}

function readDetails(lines: readonly string[], at: number, depth: number): Block {
  let open = 0
  let end = at
  for (; end < lines.length; end += 1) {
    open += (lines[end]?.match(/<details>/gi) ?? []).length - (lines[end]?.match(/<\/details>/gi) ?? []).length
    if (open <= 0) break
  }
  const text = lines.slice(at, end + 1).join('\n')
  const inside = text.replace(/^ {0,3}<details>/i, '').replace(/<\/details>[^\n]*$/i, '')
  const [, summary, rest] = /^\s*<summary>([^\n]*?)<\/summary>([\s\S]*)$/i.exec(inside) ?? []
  const content = renderBlocks((rest ?? inside).split('\n'), depth + 1)
  return {
    markup: html`<details><summary>${renderInline(summary ?? 'Details')}</summary>${content}</details>`,
    taken: end - at + 1,
  }
}

/** As on GitHub's pull requests, a line break is a line break. */
function readParagraph(lines: readonly string[], at: number): Block {
  let end = at + 1
  while (end < lines.length && !startsBlock(lines, end)) end += 1
  const rows = lines.slice(at, end).map((line, i) => html`${i > 0 ? html`<br>` : null}${renderInline(line.trim())}`)
  return { markup: html`<p>${rows}</p>`, taken: end - at }
}
