import { readPatch } from '../diff/read-diff.ts'
import { type Exchange, send } from '../host/exchange.ts'
import { findRepository, type HostState, type Repository } from '../host/host-state.ts'
import { renderFilePage } from './file-page.ts'
import { html } from './html.ts'
import { renderIndexPage, renderRepositoryPage } from './list-pages.ts'
import { PAGE_HEADERS, renderPage } from './page.ts'
import { renderPullPage } from './pull-page.ts'

const PULL_PATH = /^\/([^/]+\/[^/]+)\/pull\/(\d{1,9})(\.diff)?$/
const FILE_PATH = /^\/([^/]+\/[^/]+)\/blob\/([0-9a-f]{40})\/(.+)$/
const REPOSITORY_PATH = /^\/([^/]+\/[^/]+?)(?:\.git)?\/?$/

/**
 * Serves the HTML pages. They require no credential, because the host runs on the user's machine.
 */
export async function handlePage(state: HostState, exchange: Exchange): Promise<void> {
  const { request, url, entry } = exchange
  const { pathname } = url
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (pathname === '/favicon.ico' && reads) {
    entry.op = 'page'
    return send(exchange, 204, '')
  }
  const [, pullOf, number, asDiff] = PULL_PATH.exec(pathname) ?? []
  const [, fileOf, commit = '', path = ''] = FILE_PATH.exec(pathname) ?? []
  const full = pullOf ?? fileOf ?? REPOSITORY_PATH.exec(pathname)?.[1]
  if (!reads || (full === undefined && pathname !== '/')) return sendMissing(exchange)
  entry.op = 'page'
  if (full === undefined) return send(exchange, 200, renderIndexPage(state), PAGE_HEADERS)
  const target = state.moved.get(full)
  if (target) return send(exchange, 301, '', { location: `${state.url}${pathname.replace(full, target)}` })
  const repository = findRepository(state, full)
  if (!repository) return sendMissing(exchange)
  if (fileOf !== undefined) return sendFile(exchange, repository, { commit, path: decodePath(path) })
  if (number === undefined) return send(exchange, 200, await renderRepositoryPage(state, repository), PAGE_HEADERS)
  return sendPull(exchange, repository, Number(number), asDiff !== undefined)
}

async function sendPull(exchange: Exchange, repository: Repository, number: number, asDiff: boolean): Promise<void> {
  const pull = repository.record.pulls.find((candidate) => candidate.number === number)
  if (!pull) return sendMissing(exchange)
  if (!asDiff) return send(exchange, 200, await renderPullPage(repository, pull), PAGE_HEADERS)
  const patch = await readPatch(repository.dir, pull.baseSha, pull.headSha)
  send(exchange, 200, patch, { ...PAGE_HEADERS, 'content-type': 'text/x-diff; charset=utf-8' })
}

async function sendFile(
  exchange: Exchange,
  repository: Repository,
  file: { commit: string; path: string },
): Promise<void> {
  const page = await renderFilePage(repository, file)
  return page === null ? sendMissing(exchange) : send(exchange, 200, page, PAGE_HEADERS)
}

/** Returns the path without percent-encoding, or unchanged if the encoding is invalid. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function sendMissing(exchange: Exchange): void {
  const content = html`<h1>Not found</h1><p>This page does not exist. <a href="/">All repositories</a></p>`
  const trail = [{ label: 'Repositories', href: '/' }]
  send(exchange, 404, renderPage({ title: 'Not found', trail, content }), PAGE_HEADERS)
}
