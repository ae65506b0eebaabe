import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildControls } from './controls.ts'
import { writeHooks } from './git/http-backend.ts'
import { getApp } from './host/credentials.ts'
import { type Exchange, type RecordedRequest, send } from './host/exchange.ts'
import { type HostDialect, type HostState, openStateFile } from './host/host-state.ts'
import { handlePage } from './pages/handle-page.ts'
import { buildGitHubDialect } from './rest/handle-rest.ts'
import type { RestChecks } from './rest/route.ts'
import { handleSmartHttp, isSmartHttpPath } from './smart-http.ts'

export interface GitHostOptions {
  /** Folder for the bare repositories, `<root>/<owner>/<name>.git`. Created if it is missing. */
  readonly root: string
  /** Default: 0, which selects a free port. The host listens on 127.0.0.1 only. */
  readonly port?: number
  /** Personal access token. Default: a random one. */
  readonly token?: string
  /** Origin of all links on the host. Required if clients use a different URL to reach the host. */
  readonly publicUrl?: string
  /** Description that REST requests and responses must match. If omitted, neither is checked. */
  readonly checks?: RestChecks
  /** Default: GitHub. */
  readonly dialect?: HostDialect
}

export type GitHost = Awaited<ReturnType<typeof startGitHost>>

/** Maximum number of recorded requests. Limits memory use in a long demo. */
const MAX_RECORDED = 50_000
const GRACE_MS = 2000

/**
 * Starts a Git host on 127.0.0.1. It serves git over HTTP, the GitHub operations that the product
 * uses under `/api/v3`, and HTML pages. Pull requests are stored in `<root>/.git-host/state.json`
 * and survive a restart.
 */
export async function startGitHost(options: GitHostOptions) {
  const root = resolve(options.root)
  const home = join(root, '.git-host')
  await mkdir(join(home, 'pushes'), { recursive: true })
  await writeHooks(join(home, 'hooks'))
  const { records, moved, save, close: closeFile } = openStateFile(join(home, 'state.json'))
  const state: HostState = {
    root,
    dialect: options.dialect ?? buildGitHubDialect(options.checks),
    home,
    url: '',
    token: options.token ?? `ghp_${randomBytes(18).toString('hex')}`,
    login: 'corrigenda-bot',
    app: null,
    grants: new Map(),
    manifests: new Map(),
    records,
    moved,
    faults: [],
    requests: [],
    refUpdates: [],
    save,
  }
  const closing = new AbortController()
  const server = createServer((request, response) => {
    response.once('close', () => {
      if (!server.listening) server.closeIdleConnections()
    })
    const exchange = openExchange(state, request, response, closing.signal)
    dispatch(state, exchange).catch((error: unknown) => {
      if (closing.signal.aborted || response.destroyed) return
      const reason = error instanceof Error ? error.message : String(error)
      send(exchange, 500, `The local Git host failed: ${reason}\n`, { 'content-type': 'text/plain; charset=utf-8' })
    })
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  state.url = (options.publicUrl ?? own).replace(/\/+$/, '') + state.dialect.basePath

  return {
    ...buildControls(state),
    /** For substitutes of other kinds of hosts. */
    state,
    root,
    /** Base URL, such as http://127.0.0.1:41234. */
    url: state.url,
    /** Base URL of the REST API. */
    apiUrl: `${state.url}/api/v3`,
    /** The personal access token of the host's user. It has all permissions. */
    token: state.token,
    /** The GitHub App installed on all repositories. Its key pair is created on first use. */
    get app() {
      const { id, installationId, privateKey } = getApp(state)
      return { id, installationId, privateKey }
    },
    repositoryUrl: (full: string) => `${state.url}/${full}`,
    /** Stops accepting requests, waits up to 2 s for pending requests, and aborts the rest. */
    async close(): Promise<void> {
      const closed = once(server, 'close')
      server.close()
      await Promise.race([closed, sleep(GRACE_MS, undefined, { ref: false })])
      closing.abort()
      server.closeAllConnections()
      await closed
      closeFile()
    },
  }
}

function openExchange(
  state: HostState,
  request: IncomingMessage,
  response: ServerResponse,
  closing: AbortSignal,
): Exchange {
  const url = new URL(`${new URL(state.url).origin}${(request.url ?? '/').replace(/^\/*/, '/')}`)
  const entry: RecordedRequest = {
    at: Date.now(),
    method: request.method ?? 'GET',
    path: url.pathname + url.search,
    op: 'unknown',
    status: 0,
  }
  state.requests.push(entry)
  if (state.requests.length > MAX_RECORDED) state.requests.shift()
  return { request, response, url, entry, closing }
}

function dispatch(state: HostState, exchange: Exchange): Promise<void> {
  const { pathname } = exchange.url
  if (state.dialect.isApiPath(pathname)) return state.dialect.handleApi(state, exchange)
  if (isSmartHttpPath(state, pathname)) return handleSmartHttp(state, exchange)
  return handlePage(state, exchange)
}
