import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type GitHostKind, type RepositoryAddress, toRepositoryAddress } from '@corrigenda/contracts'
import { type GitHost, startForgejo, startGitHost, startGitLab } from '@corrigenda/testkit'
import { buildForgejo } from '../forgejo/build-forgejo.ts'
import type { AccessTest, GitHostAdapter } from '../git-host.ts'
import { buildGitHub } from '../github/build-github.ts'
import { buildGitLab } from '../gitlab/build-gitlab.ts'
import type { ContractHarness } from './contract-harness.ts'

const FAST = { version: '0.0.0', retryBaseMs: 5 }
const CONCLUSIONS = {
  pending: { status: 'queued', conclusion: null },
  passed: { status: 'completed', conclusion: 'success' },
  failed: { status: 'completed', conclusion: 'failure' },
} as const

/** A substitute for a kind of host, with tokens of different scopes. */
interface Kind {
  readonly host: GitHost
  readonly adapter: GitHostAdapter
  readonly basePath: string
  readonly group: string
  addReader(): string
  addStranger(project: string): string
  readonly alsoReads: readonly AccessTest['to'][]
  readonly workflow: ContractHarness['workflow'] & { readonly text: string }
  /** Prefix in the title of a draft. */
  readonly draft: string
}

const START: Readonly<Record<GitHostKind, (root: string) => Promise<Kind>>> = {
  async github(root) {
    const host = await startGitHost({ root })
    const text = 'name: Publish\non:\n  workflow_dispatch:\n  repository_dispatch:\n    types: [publish]\njobs: {}\n'
    return {
      host,
      adapter: buildGitHub({ ...FAST, apiUrl: null }),
      basePath: '',
      group: 'acme',
      addReader: () => host.addToken({ contents: 'read' }),
      addStranger: (project) => host.addToken({ contents: 'write' }, [project]),
      alsoReads: [],
      workflow: { name: 'docs.yml', path: '.github/workflows/docs.yml', hasEvents: true, text },
      draft: '',
    }
  },
  // Nested groups, below the root of the host, in German, without a paid plan.
  async gitlab(root) {
    const basePath = '/gitlab'
    const host = await startGitLab({ root, basePath, edition: 'ce', language: 'de' })
    return {
      host,
      adapter: buildGitLab(FAST),
      basePath,
      group: 'acme/docs/web',
      addReader: () => host.addScopedToken(['read_repository']),
      addStranger: (project) => host.addScopedToken(['api'], [project]),
      alsoReads: [],
      workflow: {
        name: '.gitlab-ci.yml',
        path: '.gitlab-ci.yml',
        hasEvents: false,
        text: 'pages:\n  script: [workflow_dispatch]\n',
      },
      draft: 'Draft: ',
    }
  },
  forgejo: (root) => startForgejoKind('forgejo', root),
  gitea: (root) => startForgejoKind('gitea', root),
}

async function startForgejoKind(kind: 'forgejo' | 'gitea', root: string): Promise<Kind> {
  const basePath = kind === 'gitea' ? '/git' : ''
  const host = await startForgejo({ root, kind, basePath })
  return {
    host,
    adapter: buildForgejo(kind, FAST),
    basePath,
    group: 'acme',
    addReader: () => host.addScopedToken(['read:repository']),
    addStranger: (project) => host.addScopedToken(['write:repository', 'write:issue'], [project]),
    // One scope covers the contents, the pull requests and the statuses.
    alsoReads: ['read_pull_requests', 'read_statuses', 'read_checks'],
    workflow: {
      name: 'docs.yml',
      path: `.${kind}/workflows/docs.yml`,
      hasEvents: false,
      text: 'on:\n  workflow_dispatch:\njobs: {}\n',
    },
    draft: 'WIP: ',
  }
}

/** Starts a substitute for a kind of host. */
export async function openHarness(kind: GitHostKind): Promise<ContractHarness & { readonly host: GitHost }> {
  const root = await mkdtemp(join(tmpdir(), 'git-host-contract-'))
  const { host, adapter, basePath, group, workflow, draft, alsoReads, ...tokens } = await START[kind](root)
  const token = (value: string) => adapter.buildCredentials({ kind: 'token', token: value })
  const hosts = [{ host: new URL(host.url).host, kind, basePath }]
  let made = 0
  const create = async (full: string) => {
    const files = new Map([
      ['index.md', { data: '# Docs\n' }],
      [workflow.path, { data: workflow.text }],
    ])
    await host.createRepository(full, { commits: [{ message: 'docs: start', files }] })
    return toRepositoryAddress(host.repositoryUrl(full), hosts)
  }
  const elsewhere = `${group}/elsewhere`
  await create(elsewhere)
  /** Current paths of renamed repositories. */
  const paths = new Map<string, string>()
  const pathOf = ({ path }: RepositoryAddress) => paths.get(path) ?? path
  const pullsOf = (repository: RepositoryAddress) => host.pulls(pathOf(repository))

  return {
    host,
    adapter,
    alsoReads,
    workflow,
    buildCredentials: (access) => {
      if (access === 'wrong') return token(`ghp_${'0'.repeat(36)}`)
      if (access === 'read') return token(tokens.addReader())
      return token(access === 'elsewhere' ? tokens.addStranger(elsewhere) : host.token)
    },
    createRepository: () => {
      made += 1
      return create(`${group}/docs-${made}`)
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
    hasReviews: kind !== 'gitlab',
    archive: ({ path }) => host.archive(path, true),
    reportCheck: ({ path }, sha, state) => {
      host.setCheckRun(path, { sha, name: 'build', ...CONCLUSIONS[state] })
    },
    readPullRequest: (repository, number) => {
      const { title = '', labels = [], reviewers = [] } = pullsOf(repository).find((one) => one.number === number) ?? {}
      return { title: title.slice(title.startsWith(draft) ? draft.length : 0), labels, reviewers }
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
