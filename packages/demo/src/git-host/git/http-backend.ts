import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { NO_OBJECT } from '../host/types.ts'
import type { RefMove } from './refs.ts'
import { buildGitEnvironment } from './run-git.ts'

interface BackendInput {
  readonly root: string
  /** Folder that contains the update and post-receive hooks. */
  readonly hooks: string
  /** Path below `root`, such as `/acme/docs.git/info/refs`. */
  readonly pathInfo: string
  readonly query: string
  readonly request: IncomingMessage
  /** Environment for the hooks. */
  readonly env: Readonly<Record<string, string>>
  /** When aborted, kills the process and its git child process. */
  readonly signal: AbortSignal
}

/** Response of one `git http-backend` process. The body is still being streamed. */
export interface BackendAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: Readable
  /** Resolves when the process and its hooks have exited. */
  readonly ended: Promise<void>
}

const SETTINGS = {
  'http.receivepack': 'true',
  'http.uploadpack': 'true',
  'http.getanyfile': 'false',
  'uploadpack.allowFilter': 'true',
  'uploadpack.allowAnySHA1InWant': 'true',
  // GitHub advertises pull request refs to readers and rejects pushes to them.
  'receive.hideRefs': 'refs/pull',
  'receive.autogc': 'false',
}

const MAX_HEADER_BYTES = 64 * 1024

/**
 * Passes a request to git's CGI program and streams in both directions. Git inflates compressed
 * bodies (https://git-scm.com/docs/git-http-backend).
 */
export async function runHttpBackend(input: BackendInput): Promise<BackendAnswer> {
  const child = spawn('git', ['http-backend'], { env: toCgiEnvironment(input), signal: input.signal })
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  child.stderr.resume()
  // Either side may close the stream first. Git's exit code determines the result.
  pipeline(input.request, child.stdin).catch(() => {})
  const { head, rest } = await readCgiHead(child)
  return { ...parseCgiHead(head), body: toBody(rest, child), ended }
}

function toCgiEnvironment({ root, hooks, pathInfo, query, request, env }: BackendInput): Record<string, string> {
  const header = (name: string): string => String(request.headers[name] ?? '')
  return {
    ...buildGitEnvironment({ ...SETTINGS, 'core.hooksPath': hooks }),
    ...env,
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: pathInfo,
    QUERY_STRING: query,
    REQUEST_METHOD: request.method ?? 'GET',
    CONTENT_TYPE: header('content-type'),
    // Omitted for a chunked body, which git reads to its end.
    ...(request.headers['content-length'] ? { CONTENT_LENGTH: header('content-length') } : {}),
    HTTP_CONTENT_ENCODING: header('content-encoding'),
    GIT_PROTOCOL: header('git-protocol'),
    REMOTE_USER: 'x-access-token',
    REMOTE_ADDR: '127.0.0.1',
  }
}

function readCgiHead(child: ChildProcessWithoutNullStreams): Promise<{ head: string; rest: Buffer }> {
  return new Promise((resolve, reject) => {
    let seen = Buffer.alloc(0)
    const finishOnce = (action: () => void): void => {
      child.stdout.off('data', onData)
      child.off('close', onClose)
      action()
    }
    const onData = (chunk: Buffer): void => {
      seen = Buffer.concat([seen, chunk])
      const end = seen.indexOf('\r\n\r\n')
      if (end >= 0) {
        child.stdout.pause()
        finishOnce(() => resolve({ head: seen.subarray(0, end).toString('latin1'), rest: seen.subarray(end + 4) }))
      } else if (seen.length > MAX_HEADER_BYTES) finishOnce(() => reject(new Error('git http-backend sent no header')))
    }
    const onClose = (): void => finishOnce(() => reject(new Error('git http-backend exited without a response')))
    child.stdout.on('data', onData)
    child.once('close', onClose)
    child.once('error', (error) => finishOnce(() => reject(error)))
  })
}

function parseCgiHead(head: string): { status: number; headers: Record<string, string> } {
  const headers: Record<string, string> = {}
  let status = 200
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    if (name === 'status') status = Number.parseInt(value, 10)
    else headers[name] = value
  }
  return { status, headers }
}

function toBody(rest: Buffer, child: ChildProcessWithoutNullStreams): Readable {
  if (rest.length > 0) child.stdout.unshift(rest)
  return child.stdout
}

/**
 * Update hook. While GIT_HOST_REFUSAL is set, rejects every push with its value as the message.
 * Rejects pushes to branches in GIT_HOST_PROTECTED (full ref names, one per line) with GitHub's
 * message.
 */
const UPDATE = `#!/bin/sh
if [ -n "$GIT_HOST_REFUSAL" ]; then
  printf '%s\\n' "$GIT_HOST_REFUSAL" >&2
  exit 1
fi
case "
$GIT_HOST_PROTECTED
" in *"
$1
"*)
  echo "error: GH006: Protected branch update failed for $1." >&2
  echo "error: Changes must be made through a pull request." >&2
  exit 1 ;;
esac
`

/** Post-receive hook. Logs the ref updates that git performed, for the host to read. */
const POST_RECEIVE = `#!/bin/sh
cat > "$GIT_HOST_PUSH_LOG"
`

/** Writes the hooks to a separate folder, so that the repositories contain no hooks. */
export async function writeHooks(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'update'), UPDATE, { mode: 0o755 })
  await writeFile(join(folder, 'post-receive'), POST_RECEIVE, { mode: 0o755 })
}

/**
 * Returns the ref updates of one push, as logged by its post-receive hook. The result is empty if
 * no update was accepted. Removes the log.
 */
export async function takePushLog(path: string): Promise<RefMove[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return ''
  })
  await rm(path, { force: true })
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [old = NO_OBJECT, next = NO_OBJECT, ...ref] = line.split(' ')
      return { ref: ref.join(' '), old, new: next }
    })
}
