import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type BackendAnswer, runHttpBackend, takePushLog } from './git/http-backend.ts'
import { noteRefUpdates } from './git/refs.ts'
import { findPrincipal, isPermitted, isVisible, readCredential } from './host/credentials.ts'
import { type Exchange, HttpError, performUnderFault, send } from './host/exchange.ts'
import { findRepository, type HostState, type Repository } from './host/host-state.ts'

const SMART_PATH = /^\/(.+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/
const PEEK_BYTES = 4096

interface SmartRequest {
  readonly full: string
  readonly tail: string
  readonly op: 'git.advertiseFetch' | 'git.advertisePush' | 'git.listRefs' | 'git.fetch' | 'git.push'
  readonly writes: boolean
}

/** Returns true for paths in git's smart HTTP protocol. */
export function isSmartHttpPath({ dialect }: HostState, path: string): boolean {
  return path.startsWith(`${dialect.basePath}/`) && SMART_PATH.test(path.slice(dialect.basePath.length))
}

/**
 * Serves fetch and push through `git http-backend`. Errors are plain text. Git shows them to the
 * user as "remote: …".
 */
export async function handleSmartHttp(state: HostState, exchange: Exchange): Promise<void> {
  const { request, url, entry } = exchange
  try {
    const head = await peek(request)
    const smart = classify(request.method ?? 'GET', url, url.pathname.slice(state.dialect.basePath.length), head)
    entry.op = smart.op
    await performUnderFault(state.faults, exchange, head.toString('latin1'), (deliver) =>
      serve(state, exchange, smart, deliver),
    )
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    send(exchange, error.status, `${error.message}\n`, {
      'content-type': 'text/plain; charset=utf-8',
      ...error.headers,
    })
  }
}

/** Returns the first bytes of the body without consuming them. */
async function peek(request: IncomingMessage): Promise<Buffer> {
  if (request.method !== 'POST') return Buffer.alloc(0)
  await Promise.race([once(request, 'readable'), once(request, 'close')])
  const chunk: Buffer | null = request.read()
  if (!chunk) return Buffer.alloc(0)
  request.unshift(chunk)
  return chunk.subarray(0, PEEK_BYTES)
}

function classify(method: string, url: URL, path: string, head: Buffer): SmartRequest {
  const [, full = '', tail = ''] = SMART_PATH.exec(path) ?? []
  const advertises = tail === 'info/refs'
  const service = advertises ? url.searchParams.get('service') : tail
  if (service !== 'git-upload-pack' && service !== 'git-receive-pack') {
    throw new HttpError(403, 'Please upgrade your git client: the dumb protocol is not supported.')
  }
  if (method !== (advertises ? 'GET' : 'POST')) throw new HttpError(405, 'Method Not Allowed')
  const writes = service === 'git-receive-pack'
  const read = advertises ? 'git.advertiseFetch' : head.includes('command=ls-refs') ? 'git.listRefs' : 'git.fetch'
  const write = advertises ? 'git.advertisePush' : 'git.push'
  return { full, tail, op: writes ? write : read, writes }
}

function authorize(state: HostState, request: IncomingMessage, full: string, writes: boolean): Repository {
  const credential = readCredential(request.headers.authorization)
  const known = credential?.scheme === 'basic' && state.dialect.gitUsers.test(credential.user)
  const principal = known ? findPrincipal(state, credential.secret) : null
  const anonymous = credential === null && !writes ? findRepository(state, full) : null
  if (anonymous?.record.isPublic === true) return anonymous
  if (!principal) {
    const message = credential ? 'Invalid username or token.' : 'Authentication required.'
    throw new HttpError(401, message, { headers: { 'www-authenticate': 'Basic realm="GitHub"' } })
  }
  const repository = findRepository(state, full)
  if (!repository || !isVisible(principal, repository)) throw new HttpError(404, 'Repository not found.')
  if (!isPermitted(principal, state.dialect.gitAccess[writes ? 'write' : 'read'])) {
    throw new HttpError(403, `${writes ? 'Write' : 'Read'} access to repository not granted.`)
  }
  if (writes && repository.record.readOnly) {
    throw new HttpError(403, `Permission to ${repository.full}.git denied to ${principal.account.login}.`)
  }
  if (writes && repository.record.archived) {
    throw new HttpError(403, 'This repository was archived so it is read-only.')
  }
  return repository
}

async function serve(state: HostState, exchange: Exchange, smart: SmartRequest, deliver: boolean): Promise<void> {
  const { request, url } = exchange
  const target = state.moved.get(smart.full)
  if (target) {
    if (deliver) send(exchange, 301, '', { location: `${state.url}/${target}.git/${smart.tail}${url.search}` })
    return
  }
  const repository = authorize(state, request, smart.full, smart.writes)
  const log = join(state.home, 'pushes', randomUUID())
  const answer = await runHttpBackend({
    root: state.root,
    hooks: join(state.home, 'hooks'),
    pathInfo: `/${repository.full}.git/${smart.tail}`,
    query: url.search.slice(1),
    request,
    env: {
      GIT_HOST_PUSH_LOG: log,
      GIT_HOST_REFUSAL: repository.record.pushRefusal ?? '',
      GIT_HOST_PROTECTED: repository.record.protectedBranches.map((branch) => `refs/heads/${branch}`).join('\n'),
    },
    signal: AbortSignal.any([exchange.closing, abortOnDisconnect(exchange, smart)]),
  })
  if (smart.op === 'git.push') await servePush(state, exchange, repository, answer, { deliver, log })
  else await serveRead(exchange, answer, deliver)
}

/**
 * Returns a signal that aborts if the client disconnects during the response. As on a real host, a
 * push that has been received completely is still applied, but a partial push is discarded.
 */
function abortOnDisconnect({ request, response }: Exchange, { op }: SmartRequest): AbortSignal {
  const disconnected = new AbortController()
  response.once('close', () => {
    const pushed = op === 'git.push' && request.complete
    if (!response.writableFinished && !pushed) disconnected.abort()
  })
  return disconnected.signal
}

async function serveRead(exchange: Exchange, answer: BackendAnswer, deliver: boolean): Promise<void> {
  if (!deliver) {
    answer.body.resume()
    return answer.ended
  }
  const { response, entry } = exchange
  entry.status = answer.status
  response.writeHead(answer.status, answer.headers)
  await pipeline(answer.body, response).catch(() => {})
  await answer.ended
}

/**
 * Serves a push. Sends the response after git and its hooks have exited, so that the update is
 * recorded before the client reads the response.
 */
async function servePush(
  state: HostState,
  exchange: Exchange,
  repository: Repository,
  answer: BackendAnswer,
  { deliver, log }: { deliver: boolean; log: string },
): Promise<void> {
  const chunks: Buffer[] = []
  answer.body.on('data', (chunk: Buffer) => chunks.push(chunk))
  // The stream was paused after the headers were read, and adding a listener does not resume it. Node
  // resumes it when git exits, but not if git has already exited.
  answer.body.resume()
  await answer.ended
  await noteRefUpdates(state, repository, 'push', await takePushLog(log))
  if (deliver) send(exchange, answer.status, Buffer.concat(chunks), answer.headers)
}
