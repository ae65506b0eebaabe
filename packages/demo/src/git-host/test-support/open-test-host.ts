import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Octokit } from '@octokit/rest'
import { buildGitEnvironment } from '../git/run-git.ts'
import { createRepository } from '../git/write-commits.ts'
import type { FileChange } from '../host/types.ts'
import { type GitHost, type GitHostOptions, startGitHost } from '../start-git-host.ts'

const run = promisify(execFile)

export const files = (entries: Record<string, string | null>): Map<string, FileChange | null> =>
  new Map(Object.entries(entries).map(([path, data]) => [path, data === null ? null : { data }]))

export interface TestHost {
  readonly host: GitHost
  /** A scratch folder for clones. */
  readonly scratch: string
  readonly octokit: Octokit
  /** Returns the URL of a repository, including the token. */
  readonly remote: (full: string, token?: string) => string
  /** Runs git as a client. */
  readonly git: (cwd: string, ...args: string[]) => Promise<string>
  /** Pushes a commit with `entries` to a branch. A new branch starts at main. */
  readonly pushBranch: (full: string, branch: string, entries: Record<string, string | null>) => Promise<string>
  readonly close: () => Promise<void>
}

/** Starts a separate host with the repositories acme/docs (two commits) and acme/other. */
export async function openTestHost(options: Partial<GitHostOptions> = {}): Promise<TestHost> {
  const scratch = await mkdtemp(join(tmpdir(), 'git-host-'))
  const root = join(scratch, 'root')
  await createRepository(root, 'acme/docs', {
    commits: [
      { message: 'Start', files: files({ 'index.md': '# Hello\n', 'guide/one.md': 'one\ntwo\nthree\n' }) },
      { message: 'Second page', files: files({ 'guide/two.md': 'two\n' }) },
    ],
  })
  await createRepository(root, 'acme/other', { commits: [{ message: 'Start', files: files({ 'a.md': 'a\n' }) }] })
  const host = await startGitHost({ root, ...options })
  const octokit = new Octokit({
    auth: host.token,
    baseUrl: host.apiUrl,
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  })
  const remote = (full: string, token = host.token): string =>
    `${host.url.replace('://', `://x-access-token:${token}@`)}/${full}.git`
  const git = async (cwd: string, ...args: string[]): Promise<string> => {
    const who = { 'user.name': 'Test', 'user.email': 'test@example.com' }
    return (await run('git', args, { cwd, env: buildGitEnvironment(who), maxBuffer: 64 << 20 })).stdout.trim()
  }
  return {
    host,
    scratch,
    octokit,
    remote,
    git,
    pushBranch: async (full, branch, entries) =>
      host.pushCommit(full, branch, { files: files(entries), message: branch }),
    close: async () => {
      await host.close()
      await rm(scratch, { recursive: true, force: true })
    },
  }
}
