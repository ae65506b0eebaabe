import { readChangedFiles } from '../diff/read-diff.ts'
import type { Repository } from '../host/host-state.ts'
import type { PullRequest } from '../host/types.ts'
import { findCommits } from '../represent/to-commit.ts'
import { renderCounts, renderDiff } from './diff-view.ts'
import { type Html, html } from './html.ts'
import { renderCommits, renderState } from './list-pages.ts'
import { renderPage, renderTime } from './page.ts'
import { renderMarkdown } from './render-markdown.ts'
import { renderTitle } from './render-title.ts'

const MAX_COMMITS = 100

/** Renders `/{owner}/{name}/pull/{n}`: the description, the author, and every changed line. */
export async function renderPullPage(repository: Repository, pull: PullRequest): Promise<string> {
  const path = `/${repository.full}/pull/${pull.number}`
  const [files, commits] = await Promise.all([
    readChangedFiles(repository.dir, pull.baseSha, pull.headSha),
    findCommits(repository.dir, MAX_COMMITS, `${pull.baseSha}..${pull.headSha}`),
  ])
  const counts = {
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  }
  const content = html`<h1>${renderTitle(pull.title)} <span class="number">#${pull.number}</span></h1>
<p class="meta">${renderState(pull)}<span><span class="branch">${pull.headRef}</span> → <span class="branch">${pull.baseRef}</span></span><span>by ${pull.author.login} · ${renderTime(pull.createdAt)}</span>${pull.labels.map((label) => html`<span class="tag">${label}</span>`)}</p>
${pull.reviewers.length > 0 && html`<p class="meta">Review requested from ${pull.reviewers.join(', ')}</p>`}
<div class="card body">${pull.body?.trim() ? renderMarkdown(pull.body) : html`<p class="muted">No description.</p>`}</div>
${pull.comments.map(renderComment)}
<h2>${count(commits?.length ?? 0, 'commit')}</h2>
${renderCommits(commits ?? [])}
<h2>${count(files.length, 'changed file')} ${renderCounts(counts)}</h2>
<p class="muted"><a href="${path}.diff">View the full diff as text</a></p>
${renderDiff(files, `${path}.diff`)}`
  return renderPage({
    title: `${pull.title} · #${pull.number}`,
    trail: [
      { label: 'Repositories', href: '/' },
      { label: repository.full, href: `/${repository.full}` },
      { label: `#${pull.number}`, href: path },
    ],
    content,
  })
}

function renderComment({ id, author, createdAt, body }: PullRequest['comments'][number]): Html {
  return html`<article class="card comment" id="issuecomment-${id}">
<p class="muted">${author.login} · ${renderTime(createdAt)}</p>
<div class="body">${renderMarkdown(body)}</div>
</article>`
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
