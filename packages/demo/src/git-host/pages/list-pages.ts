import { readDefaultBranch } from '../git/push-commit.ts'
import { type HostState, listRepositories, type Repository } from '../host/host-state.ts'
import type { PullRequest } from '../host/types.ts'
import { findCommits } from '../represent/to-commit.ts'
import { type Html, html } from './html.ts'
import { renderPage, renderTime } from './page.ts'
import { renderTitle } from './render-title.ts'

const LAST_COMMITS = 20
const home = { label: 'Repositories', href: '/' }

/** Renders `/`: every repository with its newest pull requests. */
export function renderIndexPage(state: HostState): string {
  const repositories = listRepositories(state)
  const content = html`<h1>Repositories</h1>
${repositories.length === 0 && html`<p class="muted">No repositories yet.</p>`}
${repositories.map(
  (repository) =>
    html`<section><h2><a href="/${repository.full}">${repository.full}</a></h2>${renderPulls(repository, 10)}</section>`,
)}`
  return renderPage({ title: 'Repositories', trail: [home], content })
}

/** Renders `/{owner}/{name}`: pull requests, latest commits, and clone instructions. */
export async function renderRepositoryPage(state: HostState, repository: Repository): Promise<string> {
  const branch = await readDefaultBranch(repository.dir)
  const commits = (await findCommits(repository.dir, LAST_COMMITS, `refs/heads/${branch}`)) ?? []
  const content = html`<h1>${repository.full}</h1>
<p class="meta">${repository.record.archived && html`<span class="tag">archived</span>`}<span>Default branch <span class="branch">${branch}</span></span></p>
<h2>Pull requests</h2>
${renderPulls(repository, 200)}
<h2>Latest commits on ${branch}</h2>
${commits.length === 0 ? html`<p class="muted">No commits yet.</p>` : renderCommits(commits)}
<h2>Clone</h2>
<pre class="clone"><code>git clone ${withUser(state.url)}/${repository.full}.git</code></pre>
<p class="muted">When Git asks for a password, enter this host's access token.</p>`
  const here = { label: repository.full, href: `/${repository.full}` }
  return renderPage({ title: repository.full, trail: [home, here], content })
}

const withUser = (url: string): string => url.replace('://', '://x-access-token@')

export function renderCommits(
  commits: readonly { sha: string; message: string; authorName: string; authoredAt: string }[],
): Html {
  const rows = commits.map(
    (commit) =>
      html`<li><span class="mono muted">${commit.sha.slice(0, 8)}</span><span class="grow">${commit.message.split('\n')[0] ?? ''}</span><span class="small">${commit.authorName} · ${renderTime(commit.authoredAt)}</span></li>`,
  )
  return html`<ul class="rows card">${rows}</ul>`
}

function renderPulls(repository: Repository, limit: number): Html {
  const { pulls } = repository.record
  if (pulls.length === 0) return html`<p class="muted">No pull requests yet.</p>`
  const newest = pulls.toReversed().slice(0, limit)
  const rows = newest.map(
    (pull) =>
      html`<li>${renderState(pull)}<span class="grow"><a href="/${repository.full}/pull/${pull.number}">${renderTitle(pull.title)}</a> <span class="muted">#${pull.number}</span></span><span class="small">${pull.author.login} · ${renderTime(pull.createdAt)}</span></li>`,
  )
  const more = pulls.length - newest.length
  return html`<ul class="rows card">${rows}</ul>${more > 0 && html`<p class="muted">${more === 1 ? '1 older pull request is' : `${more} older pull requests are`} not listed.</p>`}`
}

export function renderState(pull: PullRequest): Html {
  const state = pull.mergedAt ? 'merged' : pull.state === 'closed' ? 'closed' : pull.draft ? 'draft' : 'open'
  return html`<span class="state ${state}">${state.charAt(0).toUpperCase() + state.slice(1)}</span>`
}
