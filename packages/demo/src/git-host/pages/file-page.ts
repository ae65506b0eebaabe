import { isUtf8 } from 'node:buffer'
import { findInGit, runGitBytes } from '../git/run-git.ts'
import type { Repository } from '../host/host-state.ts'
import { html } from './html.ts'
import { renderPage } from './page.ts'

const MAX_BYTES = 1 << 20

/**
 * Renders `/{owner}/{name}/blob/{commit}/{path}`: the lines of a file, with an anchor for each.
 * Returns null if there is no such file.
 */
export async function renderFilePage(
  { dir, full }: Repository,
  { commit, path }: { readonly commit: string; readonly path: string },
): Promise<string | null> {
  const blob = await findInGit(dir, 'rev-parse', '--quiet', '--verify', '--end-of-options', `${commit}:${path}`)
  if (!blob || (await findInGit(dir, 'cat-file', '-t', blob)) !== 'blob') return null
  const bytes = await runGitBytes({ dir, args: ['cat-file', 'blob', blob] })
  const isText = bytes.length <= MAX_BYTES && isUtf8(bytes)
  const lines = bytes.toString().replace(/\n$/, '').split('\n')
  const rows = lines.map(
    (line, i) =>
      html`<tr id="L${i + 1}"><td class="number">${i + 1}</td><td class="sign"></td><td class="text">${line}</td></tr>`,
  )
  const content = html`<h1>${path}</h1>
<p class="meta">At commit <span class="branch">${commit.slice(0, 12)}</span></p>
${
  isText
    ? html`<div class="file"><table class="diff"><caption class="hidden">Lines of ${path}</caption>
<colgroup><col class="number"><col class="sign"><col></colgroup><tbody>${rows}</tbody></table></div>`
    : html`<p class="muted">This file is binary or too large to show.</p>`
}`
  const trail = [
    { label: 'Repositories', href: '/' },
    { label: full, href: `/${full}` },
  ]
  return renderPage({ title: path, trail, content })
}
