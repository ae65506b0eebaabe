import { isUtf8 } from 'node:buffer'
import { findCommits, readPatch } from '../git/read-history.ts'
import { readDefaultBranch } from '../git/refs.ts'
import { findInGit, runGitBytes } from '../git/run-git.ts'
import { type Exchange, send } from '../host/exchange.ts'
import { findRepository, type HostState, listRepositories, type Repository } from '../host/host-state.ts'
import { type Html, html, PAGE_HEADERS, renderPage, renderTime } from './page.ts'
import { renderCommits, renderPullPage, renderState, renderTitle } from './pull-page.ts'

const PULL_PATH = /^\/([^/]+\/[^/]+)\/pull\/(\d{1,9})(\.diff)?$/
const FILE_PATH = /^\/([^/]+\/[^/]+)\/blob\/([0-9a-f]{40})\/(.+)$/
const REPOSITORY_PATH = /^\/([^/]+\/[^/]+?)(?:\.git)?\/?$/
const MAX_FILE_BYTES = 1 << 20

/**
 * Serves the HTML pages. They require no credential, because the host runs on the user's machine.
 */
export async function handlePage(state: HostState, exchange: Exchange): Promise<void> {
  const { pathname } = exchange.url
  const [, pullOf, number, asDiff] = PULL_PATH.exec(pathname) ?? []
  const [, fileOf, commit = '', path = ''] = FILE_PATH.exec(pathname) ?? []
  const full = pullOf ?? fileOf ?? REPOSITORY_PATH.exec(pathname)?.[1]
  const isPage = full !== undefined || pathname === '/' || pathname === '/favicon.ico'
  if (!/^(GET|HEAD)$/.test(exchange.entry.method) || !isPage) return sendMissing(exchange)
  exchange.entry.op = 'page'
  if (pathname === '/favicon.ico') return send(exchange, 204, '')
  if (full === undefined) return sendPage(exchange, renderIndexPage(state))
  const target = state.moved.get(full)
  if (target) return send(exchange, 301, '', { location: `${state.url}${pathname.replace(full, target)}` })
  const repository = findRepository(state, full)
  if (!repository) return sendMissing(exchange)
  if (fileOf !== undefined) return sendPage(exchange, await renderFilePage(repository, commit, path))
  if (number === undefined) return sendPage(exchange, await renderRepositoryPage(state, repository))
  const pull = repository.record.pulls.find((candidate) => candidate.number === Number(number))
  if (!pull) return sendMissing(exchange)
  if (!asDiff) return sendPage(exchange, await renderPullPage(repository, pull))
  const patch = await readPatch(repository.dir, pull.baseSha, pull.headSha)
  send(exchange, 200, patch, { ...PAGE_HEADERS, 'content-type': 'text/x-diff; charset=utf-8' })
}

function sendPage(exchange: Exchange, page: string | null): void {
  if (page === null) sendMissing(exchange)
  else send(exchange, 200, page, PAGE_HEADERS)
}

function sendMissing(exchange: Exchange): void {
  const content = html`<h1>Not found</h1><p>This page does not exist.</p>`
  send(exchange, 404, renderPage({ title: 'Not found', content }), PAGE_HEADERS)
}

/** Renders `/`: every repository with its pull requests. */
function renderIndexPage(state: HostState): string {
  const sections = listRepositories(state).map(
    (repository) =>
      html`<section><h2><a href="/${repository.full}">${repository.full}</a></h2>${renderPulls(repository)}</section>`,
  )
  const none = sections.length === 0 && html`<p class="muted">No repositories yet.</p>`
  return renderPage({ title: 'Repositories', content: html`<h1>Repositories</h1>${none}${sections}` })
}

/** Renders `/{owner}/{name}`: pull requests, latest commits, and clone instructions. */
async function renderRepositoryPage(state: HostState, repository: Repository): Promise<string> {
  const { full, dir } = repository
  const branch = await readDefaultBranch(dir)
  const commits = (await findCommits(dir, `refs/heads/${branch}`, '--max-count=20')) ?? []
  const content = html`<h1>${full}</h1>
<h2>Pull requests</h2>
${renderPulls(repository)}
<h2>Latest commits on ${branch}</h2>
${commits.length === 0 ? html`<p class="muted">No commits yet.</p>` : renderCommits(commits)}
<h2>Clone</h2>
<pre class="clone"><code>git clone ${state.url.replace('://', '://x-access-token@')}/${full}.git</code></pre>
<p class="muted">When Git asks for a password, enter this host's access token.</p>`
  return renderPage({ title: full, full, content })
}

function renderPulls({ full, record: { pulls } }: Repository): Html {
  if (pulls.length === 0) return html`<p class="muted">No pull requests yet.</p>`
  const rows = pulls
    .toReversed()
    .map(
      (pull) =>
        html`<li>${renderState(pull)}<span class="grow"><a href="/${full}/pull/${pull.number}">${renderTitle(pull.title)}</a> <span class="muted">#${pull.number}</span></span><span class="small">${pull.author.login} · ${renderTime(pull.createdAt)}</span></li>`,
    )
  return html`<ul class="rows card">${rows}</ul>`
}

/**
 * Renders `/{owner}/{name}/blob/{commit}/{path}`: the lines of a file, with an anchor for each.
 * Returns null if there is no such file.
 */
async function renderFilePage({ dir, full }: Repository, commit: string, encoded: string): Promise<string | null> {
  let path: string
  try {
    path = decodeURIComponent(encoded)
  } catch {
    return null
  }
  const blob = await findInGit(dir, 'rev-parse', '--quiet', '--verify', '--end-of-options', `${commit}:${path}`)
  if (!blob || (await findInGit(dir, 'cat-file', '-t', blob)) !== 'blob') return null
  const bytes = await runGitBytes({ dir, args: ['cat-file', 'blob', blob] })
  const isText = bytes.length <= MAX_FILE_BYTES && isUtf8(bytes)
  const lines = bytes.toString().replace(/\n$/, '').split('\n')
  const rows = lines.map(
    (line, i) => html`<tr id="L${i + 1}"><td class="number">${i + 1}</td><td class="text">${line}</td></tr>`,
  )
  const content = html`<h1>${path}</h1>
<p class="meta">At commit <span class="branch">${commit.slice(0, 12)}</span></p>
${
  isText
    ? html`<div class="file"><table class="diff"><caption class="hidden">Lines of ${path}</caption>
<colgroup><col class="number"><col></colgroup><tbody>${rows}</tbody></table></div>`
    : html`<p class="muted">This file is binary or too large to show.</p>`
}`
  return renderPage({ title: path, full, content })
}
