import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GitHost, startGitHost } from '@corrigenda/testkit'
import { buildCredentials } from '../../github/credentials.ts'
import { GitHubError } from '../../github/github-error.ts'
import { openGitHub } from '../../github/open-github.ts'
import { toRepository } from '../../github/repository.ts'
import type { EnsurePullRequestInput } from '../ensure-pull-request.ts'
import { ensurePullRequest } from '../ensure-pull-request.ts'

export const file = (data: string) => new Map([['docs/intro.md', { data }]])

let made = 0

/** An empty Git host; close removes it from the disk. */
export async function openHost(): Promise<{ host: GitHost; close: () => Promise<void> }> {
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

/** A repository of its own with a branch pushed for a job, and a client for it. */
export async function prepareJob(host: GitHost, some: Partial<EnsurePullRequestInput> = {}, settings: Settings = {}) {
  made += 1
  const full = `acme/docs-${made}`
  const jobId = `job_${made}`
  const branch = some.branch ?? `corrigenda/${jobId}`
  await host.createRepository(full, { commits: [{ message: 'first', files: file('one\n') }] })
  const expectedHead = await host.pushCommit(full, branch, { message: 'change', files: file('two\n') })
  const deps = { apiUrl: null, version: '0.0.0', retryBaseMs: 5, ...settings }
  const credentials = buildCredentials({ kind: 'token', token: settings.token ?? host.token }, deps)
  const signal = some.signal ?? new AbortController().signal
  const repository = toRepository(host.repositoryUrl(full))
  const github = await openGitHub({ ...deps, credentials }, { repository, access: 'publish', signal })
  const input: EnsurePullRequestInput = {
    jobId,
    branch,
    base: 'main',
    title: 'Document the flag',
    body: `Corrigenda job ${jobId}`,
    draft: false,
    labels: [],
    reviewers: [],
    expectedHead,
    signal,
    ...some,
  }
  const count = (op: string) =>
    host.requests.filter((one) => one.op === op && one.path.includes(`/repos/${full}/`)).length
  return {
    full,
    github,
    input,
    count,
    ensure: (more: Partial<EnsurePullRequestInput> = {}) =>
      ensurePullRequest({ github, waitMs: 5 }, { ...input, ...more }),
  }
}

export async function failOf(work: Promise<unknown>): Promise<GitHubError> {
  const error = await work.catch((reason: unknown) => reason)
  if (!(error instanceof GitHubError)) throw new Error(`expected a GitHubError, got ${JSON.stringify(error)}`)
  return error
}
