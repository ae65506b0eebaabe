import { markChanges, type Piece } from '../diff/mark-changes.ts'
import { type DiffLine, type Hunk, parsePatch } from '../diff/parse-patch.ts'
import type { ChangedFile } from '../diff/read-diff.ts'
import { type Html, html } from './html.ts'

const MAX_FILES = 300
const MAX_LINES = 2000
const SIGNS = { added: '+', removed: '-', context: ' ', note: '' } as const
const STATUS_WORDS = { added: 'new', removed: 'deleted', renamed: 'renamed', changed: 'mode', modified: '' } as const

/**
 * Renders a pull request's files as a list of links, followed by the changed lines of each file.
 */
export function renderDiff(files: readonly ChangedFile[], patchUrl: string): Html {
  const shown = files.slice(0, MAX_FILES)
  const more = files.length - shown.length
  return html`<nav aria-label="Changed files"><ul class="files">${shown.map(renderFileLink)}</ul></nav>
${shown.map((file, i) => renderFile(file, i, patchUrl))}
${more > 0 && html`<p class="muted">${more === 1 ? '1 more file is' : `${more} more files are`} in the <a href="${patchUrl}">full diff</a>.</p>`}`
}

function renderFileLink(file: ChangedFile, index: number): Html {
  return html`<li><a href="#file-${index + 1}">${file.path}</a> ${renderCounts(file)}</li>`
}

export function renderCounts({ additions, deletions }: { additions: number; deletions: number }): Html {
  if (additions + deletions === 0) return html``
  return html`<span class="counts"><span class="plus">+${additions}</span> <span class="minus">−${deletions}</span></span>`
}

function renderFile(file: ChangedFile, index: number, patchUrl: string): Html {
  const word = STATUS_WORDS[file.status]
  const name = file.previousPath ? html`${file.previousPath} <span class="muted">→</span> ${file.path}` : file.path
  return html`<details open class="file" id="file-${index + 1}">
<summary><span class="path">${name}</span>${word && html` <span class="tag">${word}</span>`} ${renderCounts(file)}</summary>
${renderHunks(file, patchUrl)}
</details>`
}

function renderHunks(file: ChangedFile, patchUrl: string): Html {
  if (file.patch === null) return html`<p class="muted inset">${explainNoLines(file)}</p>`
  if (file.additions + file.deletions > MAX_LINES) {
    return html`<p class="muted inset">This file has too many changes to show here. See the <a href="${patchUrl}">full diff</a>.</p>`
  }
  return html`<table class="diff">
<caption class="hidden">Changes to ${file.path}</caption>
<colgroup><col class="number before"><col class="number"><col class="sign"><col></colgroup>
${parsePatch(file.patch).map(renderHunk)}
</table>`
}

function explainNoLines(file: ChangedFile): string {
  if (file.status === 'renamed') return 'Renamed without changes.'
  if (file.status === 'added' || file.status === 'removed' || file.status === 'modified')
    return 'No lines to show, because the file is empty or binary.'
  return 'Only the file mode changed.'
}

function renderHunk(hunk: Hunk): Html {
  const marked = markHunk(hunk.lines)
  const rows = hunk.lines.map((line, i) => renderLine(line, marked.get(i)))
  return html`<tbody><tr class="hunk"><td colspan="4">${hunk.position} ${hunk.heading}</td></tr>${rows}</tbody>`
}

function renderLine(line: DiffLine, pieces: readonly Piece[] | undefined): Html {
  const text = pieces
    ? pieces.map((piece) => (piece.changed ? html`<mark>${piece.text}</mark>` : html`${piece.text}`))
    : line.text
  return html`<tr class="${line.kind}"><td class="number before">${line.before}</td><td class="number">${line.after}</td><td class="sign">${SIGNS[line.kind]}</td><td class="text">${text}</td></tr>`
}

/**
 * Pairs consecutive removed lines with the added lines that follow them, and marks the words that
 * differ.
 */
function markHunk(lines: readonly DiffLine[]): Map<number, readonly Piece[]> {
  const marked = new Map<number, readonly Piece[]>()
  for (let start = 0; start < lines.length; ) {
    const middle = skip(lines, start, 'removed')
    const end = skip(lines, middle, 'added')
    for (let i = 0; start + i < middle && middle + i < end; i += 1) {
      const pieces = markChanges(lines[start + i]?.text ?? '', lines[middle + i]?.text ?? '')
      if (pieces) marked.set(start + i, pieces.before).set(middle + i, pieces.after)
    }
    start = Math.max(end, start + 1)
  }
  return marked
}

function skip(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number {
  let at = from
  while (lines[at]?.kind === kind) at += 1
  return at
}
