import { buildGitHttp, type GitHttpOptions } from '../http/git-http.ts'
import { GitHttpError } from '../http/git-http-error.ts'
import { findBranchTip } from '../http/list-refs.ts'
import { pause } from '../http/pause.ts'
import { cutShort, encodePkt, FLUSH_PKT, readPkts, toLine } from '../http/pkt-line.ts'
import { toSafeText } from '../http/upload-pack-dialect.ts'
import type { BuiltCommit } from './build-commit.ts'

type PushRejection =
  /** The branch is not at the expected commit. */
  | 'branch_conflict'
  /** A rule on the host forbids the push. */
  | 'branch_protected'
  | 'rejected'

/** Thrown when the host rejects a push. The message is safe to display. */
export class PushRejectedError extends Error {
  constructor(
    readonly code: PushRejection,
    message: string,
  ) {
    super(message)
    this.name = 'PushRejectedError'
  }
}

interface PushInput {
  readonly http: GitHttpOptions
  /** Short name, without `refs/heads/`. */
  readonly branch: string
  /** Commit that the branch must be at, or null if the branch must not exist yet. */
  readonly expected: string | null
  readonly built: Pick<BuiltCommit, 'commit' | 'pack'>
}

const ZEROS = '0'.repeat(40)

/**
 * Pushes a commit to a branch. Sends the commit's objects in a single request, which the host
 * executes only if the branch is at the expected commit. Can be repeated safely. If the response is
 * lost, checks the branch to determine whether the push succeeded.
 * @throws {PushRejectedError}
 * @throws {GitHttpError} the error from the last attempt, for example `forbidden`, `unauthorized`
 *   or `rate_limited`
 */
export async function pushBranch(input: PushInput): Promise<'pushed' | 'already_there'> {
  const { branch, built, expected } = input
  const options: GitHttpOptions = { ...input.http, remotes: input.http.remotes ?? new Map() }
  const http = buildGitHttp(options)
  const body = toReceivePackRequest(branch, expected, built)
  const attempts = options.attempts ?? 3
  for (let attempt = 1; ; attempt++) {
    let failure: GitHttpError
    try {
      const { body: report } = await http.postOnce('git-receive-pack', body)
      const refusal = readReport(report, `refs/heads/${branch}`)
      if (refusal === null) return 'pushed'
      if (isRule(refusal)) throw rejected('branch_protected', `The Git host protects the branch ${branch}`, refusal)
      const tipState = await findTipState(options, input)
      if (tipState === 'ours') return 'already_there'
      if (tipState === 'foreign') throw conflict(branch)
      throw rejected('rejected', `The Git host rejected the push to the branch ${branch}`, refusal)
    } catch (error) {
      if (!(error instanceof GitHttpError)) throw error
      failure = error
    }
    if (failure.code === 'redirected' && attempt === 1) {
      await http.findBase('git-upload-pack')
      continue
    }
    if (isUnknownOutcome(failure)) {
      const tipState = await findTipState(options, input)
      if (tipState === 'ours') return 'already_there'
      if (tipState === 'foreign') throw conflict(branch)
    } else if (failure.code !== 'rate_limited') throw failure
    const wait = failure.retryAfterMs ?? (options.retryPauseMs ?? 250) * 2 ** (attempt - 1)
    if (attempt >= attempts || wait > (options.maxRetryWaitMs ?? 10_000)) throw failure
    await pause(wait, options.signal)
  }
}

/**
 * Encodes a receive-pack request, which consists of a single ref update command and the pack
 * (gitprotocol-pack(5)).
 */
function toReceivePackRequest(branch: string, expected: string | null, built: PushInput['built']): Buffer {
  const command = `${expected ?? ZEROS} ${built.commit} refs/heads/${branch}\0 report-status side-band-64k agent=git/corrigenda`
  return Buffer.concat([encodePkt(command), FLUSH_PKT, built.pack])
}

/**
 * Returns null if the host reports success, otherwise the host's reason for the rejection.
 * @throws {GitHttpError} `network` if the report is missing or incomplete, which leaves the outcome
 *   unknown
 */
function readReport(body: Buffer, ref: string): string | null {
  const report: Buffer[] = []
  const remarks: Buffer[] = []
  for (const pkt of readPkts(body)) {
    if (pkt.kind !== 'data') continue
    const band = pkt.data[0]
    if (band === 1) report.push(pkt.data.subarray(1))
    else if (band === 2 || band === 3) remarks.push(pkt.data.subarray(1))
    // A host without side-band support sends the report unwrapped.
    else report.push(encodePkt(pkt.data))
  }
  const lines: string[] = []
  for (const pkt of readPkts(Buffer.concat(report))) if (pkt.kind === 'data') lines.push(toLine(pkt))
  const unpack = lines.find((line) => line.startsWith('unpack '))
  const verdict = lines.find((line) => line === `ok ${ref}` || line.startsWith(`ng ${ref}`))
  if (unpack === 'unpack ok' && verdict === `ok ${ref}`) return null
  if (unpack === undefined || verdict === undefined) throw cutShort()
  // The host's remarks are a stream of bytes: a packet may end within a word or a character.
  const remark = Buffer.concat(remarks).toString('utf8')
  return [verdict.slice(`ng ${ref} `.length), unpack === 'unpack ok' ? '' : unpack, remark].filter(Boolean).join(' ')
}

type TipState = 'ours' | 'expected' | 'foreign'

async function findTipState(options: GitHttpOptions, input: PushInput): Promise<TipState> {
  const tip = (await findBranchTip(options, input.branch))?.commit ?? null
  if (tip === input.built.commit) return 'ours'
  return tip === input.expected ? 'expected' : 'foreign'
}

function isUnknownOutcome(error: GitHttpError): boolean {
  return ['network', 'timeout', 'server_error', 'protocol'].includes(error.code)
}

/**
 * Matches the branch protection and push rule messages from GitHub (GH006, GH013), GitLab and plain
 * hooks.
 */
function isRule(refusal: string): boolean {
  return /protected branch|hook declined|GH0\d\d|repository rule|not allowed to push|prohibited/i.test(refusal)
}

function conflict(branch: string): PushRejectedError {
  return new PushRejectedError('branch_conflict', `The branch ${branch} was changed by someone else.`)
}

function rejected(code: PushRejection, what: string, refusal: string): PushRejectedError {
  const detail = toSafeText(refusal).replace(/(?<![.\s])[.\s]+$/, '')
  return new PushRejectedError(code, detail === '' ? `${what}.` : `${what}: ${detail}.`)
}
