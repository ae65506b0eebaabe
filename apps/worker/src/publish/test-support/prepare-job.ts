import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toRepositoryAddress } from '@corrigenda/contracts'
import { TEST_SETTINGS } from '@corrigenda/core/internal/test-support/build-test-publish'
import { openLog } from '@corrigenda/core/runtime'
import { type GitHost as LocalGitHost, startGitHost } from '@corrigenda/testkit'
import { GitHostError } from '../../git-host/git-host-error.ts'
import { buildGitHub } from '../../git-host/github/build-github.ts'
import type { EnsurePullRequestInput } from '../ensure-pull-request.ts'
import { ensurePullRequest } from '../ensure-pull-request.ts'

export const file = (data: string) => new Map([['docs/intro.md', { data }]])

let made = 0

/** Starts an empty Git host. `close` stops it and deletes its files. */
export async function openHost(): Promise<{ host: LocalGitHost; close: () => Promise<void> }> {
  const root = await mkdtemp(join(tmpdir(), 'ensure-pull-request-'))
  const host = await startGitHost({ root })
  const close = async () => {
    await host.close()
    await rm(root, { recursive: true, force: true })
  }
  return { host, close }
}

type Settings = { token?: string; timeoutMs?: number; fetch?: typeof fetch }
export type PrepareArguments = [some?: Partial<EnsurePullRequestInput>, settings?: Settings]

/** Creates a separate repository with a job's branch already pushed, and a client for it. */
export async function prepareJob(
  host: LocalGitHost,
  some: Partial<EnsurePullRequestInput> = {},
  settings: Settings = {},
) {
  made += 1
  const full = `acme/docs-${made}`
  const jobId = `job_${made}`
  const branch = some.branch ?? `corrigenda/${jobId}`
  await host.createRepository(full, { commits: [{ message: 'first', files: file('one\n') }] })
  const expectedHead = await host.pushCommit(full, branch, { message: 'change', files: file('two\n') })
  const client = { apiUrl: null, version: '0.0.0', retryBaseMs: 5, ...settings }
  const { buildCredentials, openGitHost } = buildGitHub(client)
  const credentials = buildCredentials({ kind: 'token', token: settings.token ?? host.token })
  const signal = some.signal ?? new AbortController().signal
  const repository = toRepositoryAddress(host.repositoryUrl(full))
  const gitHost = await openGitHost({ credentials, repository, access: 'publish', signal })
  const input: EnsurePullRequestInput = {
    jobId,
    branch,
    base: 'main',
    title: 'Document the flag',
    body: `Corrigenda job ${jobId}`,
    ...TEST_SETTINGS,
    expectedHead,
    signal,
    ...some,
  }
  const count = (op: string) =>
    host.requests.filter((one) => one.op === op && one.path.includes(`/repos/${full}/`)).length
  const lines: string[] = []
  const log = openLog({ level: 'warn', secrets: [], destination: { write: (line) => void lines.push(line) } })
  const deps = { gitHost, log, waitMs: 5 }
  return {
    full,
    deps,
    gitHost,
    input,
    count,
    /** The log lines written so far. */
    lines,
    ensure: (more: Partial<EnsurePullRequestInput> = {}) => ensurePullRequest(deps, { ...input, ...more }),
  }
}

export async function failOf(work: Promise<unknown>): Promise<GitHostError> {
  const error = await work.catch((reason: unknown) => reason)
  if (!(error instanceof GitHostError)) throw new Error(`expected a GitHostError, got ${JSON.stringify(error)}`)
  return error
}
