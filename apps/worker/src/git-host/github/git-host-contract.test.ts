import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type RepositoryAddress, toRepositoryAddress } from '@corrigenda/contracts'
import { startGitHost } from '@corrigenda/testkit'
import type { ContractHarness } from '../test-support/contract-harness.ts'
import { testGitHostContract } from '../test-support/git-host-contract.ts'
import { buildGitHub } from './build-github.ts'

const WORKFLOW = 'name: Publish\non:\n  workflow_dispatch:\n  repository_dispatch:\n    types: [publish]\njobs: {}\n'
const CONCLUSIONS = {
  pending: { status: 'queued', conclusion: null },
  passed: { status: 'completed', conclusion: 'success' },
  failed: { status: 'completed', conclusion: 'failure' },
} as const

/** Starts the local Git host. */
async function openHarness(): Promise<ContractHarness> {
  const root = await mkdtemp(join(tmpdir(), 'git-host-contract-'))
  const host = await startGitHost({ root })
  const adapter = buildGitHub({ apiUrl: null, version: '0.0.0', retryBaseMs: 5 })
  const token = (value: string) => adapter.buildCredentials({ kind: 'token', token: value })
  let made = 0
  const create = async (full: string) => {
    const files = new Map([
      ['index.md', { data: '# Docs\n' }],
      ['.github/workflows/docs.yml', { data: WORKFLOW }],
    ])
    await host.createRepository(full, { commits: [{ message: 'docs: start', files }] })
    return toRepositoryAddress(host.repositoryUrl(full))
  }
  await create('acme/elsewhere')
  /** Current paths of renamed repositories. */
  const paths = new Map<string, string>()
  const pathOf = ({ path }: RepositoryAddress) => paths.get(path) ?? path
  const pullsOf = (repository: RepositoryAddress) => host.pulls(pathOf(repository))

  return {
    adapter,
    buildCredentials: (kind) => {
      if (kind === 'wrong') return token(`ghp_${'0'.repeat(36)}`)
      if (kind === 'read') return token(host.addToken({ contents: 'read' }))
      if (kind === 'elsewhere') return token(host.addToken({ contents: 'write' }, ['acme/elsewhere']))
      return token(host.token)
    },
    createRepository: () => {
      made += 1
      return create(`acme/docs-${made}`)
    },
    pushCommit: ({ path }, branch) => {
      made += 1
      const files = new Map([[`page-${made}.md`, { data: `Page ${made}.\n` }]])
      return host.pushCommit(path, branch, { message: `docs: page ${made}`, files })
    },
    async tag({ path }, name, commit) {
      await promisify(execFile)('git', ['--git-dir', join(root, `${path}.git`), 'tag', name, commit])
    },
    endPullRequest: ({ path }, number, how) => host.closePull(path, number, { merge: how === 'merge' }),
    async rename(repository) {
      const path = `${repository.path}-renamed`
      await host.rename(repository.path, path)
      paths.set(repository.path, path)
      return path
    },
    addUser({ path }, mayWrite) {
      made += 1
      const author = { login: `user-${made}`, type: 'User' } as const
      if (mayWrite) host.addWriters(path, author.login)
      return {
        login: author.login,
        comment: (number, body) => void host.comment(path, number, { author, body }),
        review: (number, { comment, body, ...at }) => {
          host.review(path, number, { author, body, state: 'CHANGES_REQUESTED', lines: [{ ...at, body: comment }] })
        },
      }
    },
    archive: ({ path }) => host.archive(path, true),
    reportCheck: ({ path }, sha, state) => {
      host.setCheckRun(path, { sha, name: 'build', ...CONCLUSIONS[state] })
    },
    readPullRequest: (repository, number) => {
      const { title = '', labels = [], reviewers = [] } = pullsOf(repository).find((one) => one.number === number) ?? {}
      return { title, labels, reviewers }
    },
    countPullRequests: (repository) => pullsOf(repository).length,
    countRuns: (repository) => host.workflowRuns(pathOf(repository)).length,
    reviewer: 'ada',
    strangers: 'acme/writers',
    async close() {
      await host.close()
      await rm(root, { recursive: true, force: true })
    },
  }
}

testGitHostContract('GitHub', openHarness)
