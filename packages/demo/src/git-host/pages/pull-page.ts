import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { type ChangedFile, type CommitFacts, findCommits, readChangedFiles } from '../git/read-history.ts'
import type { Repository } from '../host/host-state.ts'
import type { PullRequest } from '../host/types.ts'
import { type Html, type HtmlValue, html, renderPage, renderTime, showControls } from './page.ts'

const MAX_COMMITS = 100
const MAX_FILES = 300
const MAX_LINES = 2000

/** Renders `/{owner}/{name}/pull/{n}`: the description, the author, and every changed line. */
export async function renderPullPage({ dir, full }: Repository, pull: PullRequest): Promise<string> {
  const diffUrl = `/${full}/pull/${pull.number}.diff`
  const files = await readChangedFiles(dir, pull.baseSha, pull.headSha)
  const shown = files.slice(0, MAX_FILES)
  const commits = (await findCommits(dir, `${pull.baseSha}..${pull.headSha}`, `--max-count=${MAX_COMMITS}`)) ?? []
  const total = {
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  }
  const content = html`<h1>${renderTitle(pull.title)} <span class="number">#${pull.number}</span></h1>
<p class="meta">${renderState(pull)}<span><span class="branch">${pull.headRef}</span> → <span class="branch">${pull.baseRef}</span></span><span>by ${pull.author.login} · ${renderTime(pull.createdAt)}</span>${pull.labels.map((label) => html`<span class="tag">${label}</span>`)}</p>
${pull.reviewers.length > 0 && html`<p class="meta">Review requested from ${pull.reviewers.join(', ')}</p>`}
<div class="card body">${pull.body?.trim() ? renderMarkdown(pull.body) : html`<p class="muted">No description.</p>`}</div>
${pull.comments.map(
  ({ author, createdAt, body }) => html`<article class="card comment">
<p class="muted">${author.login} · ${renderTime(createdAt)}</p>
<div class="body">${renderMarkdown(body)}</div>
</article>`,
)}
<h2>Commits <span class="muted">${commits.length}</span></h2>
${renderCommits(commits)}
<h2>Changed files <span class="muted">${files.length}</span> ${renderCounts(total)}</h2>
<p class="muted"><a href="${diffUrl}">View the full diff as text</a></p>
<nav aria-label="Changed files"><ul class="files">${shown.map((file, i) => html`<li><a href="#file-${i + 1}">${file.path}</a> ${renderCounts(file)}</li>`)}</ul></nav>
${shown.map(renderFile)}
${files.length > shown.length && html`<p class="muted">The remaining files are in the full diff.</p>`}`
  return renderPage({ title: `${pull.title} · #${pull.number}`, full, content })
}

/** Renders a title as text with inline code, as GitHub does. */
export function renderTitle(title: string): HtmlValue {
  return title.split(/`([^`]+)`/).map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))
}

export function renderState(pull: PullRequest): Html {
  const state = pull.mergedAt ? 'merged' : pull.state === 'closed' ? 'closed' : pull.draft ? 'draft' : 'open'
  return html`<span class="state ${state}">${state}</span>`
}

export function renderCommits(commits: readonly CommitFacts[]): Html {
  const rows = commits.map(
    ({ sha, message, author }) =>
      html`<li><span class="mono muted">${sha.slice(0, 8)}</span><span class="grow">${message.split('\n')[0] ?? ''}</span><span class="small">${author.name} · ${renderTime(author.date)}</span></li>`,
  )
  return html`<ul class="rows card">${rows}</ul>`
}

/** Images would load a resource, and footnotes need IDs, so both stay text. */
const PLAIN = ['labelStartImage', 'gfmFootnoteCall', 'gfmFootnoteDefinition', 'gfmPotentialFootnoteCall']
/**
 * micromark takes quadratic time for some input. Text with more markup characters than this is
 * shown unrendered.
 */
const MAX_MARKS = 2_500

/**
 * Renders GitHub's Markdown. HTML comments are omitted, as on GitHub. micromark shows other HTML as
 * text and removes links with an unsafe protocol.
 */
function renderMarkdown(text: string): Html {
  if (text.split(/[!#&*+:<>[\\\]^_`|~-]/).length > MAX_MARKS) return html`<pre>${text}</pre>`
  const visible = showControls(text.replaceAll('\r', '').replace(/<!--[\s\S]*?-->/g, ''))
  const extensions = [gfm(), { disable: { null: PLAIN } }]
  return { markup: micromark(visible, { extensions, htmlExtensions: [gfmHtml()] }) }
}

function renderCounts({ additions, deletions }: { additions: number; deletions: number }): Html {
  return html`<span class="counts"><span class="plus">+${additions}</span> <span class="minus">−${deletions}</span></span>`
}

function renderFile(file: ChangedFile, index: number): Html {
  const name = file.previousPath ? `${file.previousPath} → ${file.path}` : file.path
  const status = file.status !== 'modified' && html` <span class="tag">${file.status}</span>`
  return html`<details open class="file" id="file-${index + 1}">
<summary><span class="path">${name}</span>${status} ${renderCounts(file)}</summary>
${renderLines(file)}
</details>`
}

function renderLines({ path, patch, additions, deletions }: ChangedFile): Html {
  if (patch === null)
    return html`<p class="muted inset">No changed lines: the file is empty or binary, or only its name or mode changed.</p>`
  if (additions + deletions > MAX_LINES) return html`<p class="muted inset">Too many changes to show here.</p>`
  const lines = patch.split('\n')
  const pairs = pairLines(lines)
  let [before, after] = [0, 0]
  const rows = lines.map((line, i) => {
    const [, position, from, to, heading = ''] = /^(@@ -(\d+)\S* \+(\d+)\S* @@)(.*)$/.exec(line) ?? []
    if (position) {
      before = Number(from)
      after = Number(to)
      return html`<tr class="hunk"><td colspan="4">${position}${heading}</td></tr>`
    }
    const [sign, text] = [line.charAt(0), line.slice(1)]
    const other = lines[pairs.get(i) ?? -1]?.slice(1)
    const cells = html`<td class="text">${other === undefined ? text : markDifference(text, other)}</td>`
    if (sign === '+')
      return html`<tr class="added"><td class="number before"></td><td class="number">${after++}</td><td class="sign">+</td>${cells}</tr>`
    if (sign === '-')
      return html`<tr class="removed"><td class="number before">${before++}</td><td class="number"></td><td class="sign">-</td>${cells}</tr>`
    if (sign === '\\')
      return html`<tr class="note"><td class="number before"></td><td class="number"></td><td class="sign"></td>${cells}</tr>`
    return html`<tr><td class="number before">${before++}</td><td class="number">${after++}</td><td class="sign"></td>${cells}</tr>`
  })
  return html`<table class="diff">
<caption class="hidden">Changes to ${path}</caption>
<colgroup><col class="number before"><col class="number"><col class="sign"><col></colgroup>
<tbody>${rows}</tbody>
</table>`
}

/** Pairs consecutive removed lines with the added lines that follow them, by their indexes. */
function pairLines(lines: readonly string[]): Map<number, number> {
  const pairs = new Map<number, number>()
  const skip = (from: number, sign: string): number => {
    let at = from
    while (lines[at]?.startsWith(sign)) at += 1
    return at
  }
  for (let start = 0; start < lines.length; start += 1) {
    const middle = skip(start, '-')
    const end = skip(middle, '+')
    for (let i = 0; start + i < middle && middle + i < end; i += 1) {
      pairs.set(start + i, middle + i).set(middle + i, start + i)
    }
    start = Math.max(start, end - 1)
  }
  return pairs
}

/** Marks the words of a line that differ from its other version: all but the common start and end. */
function markDifference(text: string, other: string): HtmlValue {
  const [a, b] = [[...text], [...other]]
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a[start] === b[start]) start += 1
  let end = 0
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  if (start + end < a.length / 3) return text
  const head = a
    .slice(0, start)
    .join('')
    .replace(/[\p{L}\p{N}]+$/u, '')
  const tail = a
    .slice(a.length - end)
    .join('')
    .replace(/^[\p{L}\p{N}]+/u, '')
  const changed = text.slice(head.length, text.length - tail.length)
  return [head, changed !== '' && html`<mark>${changed}</mark>`, tail]
}
