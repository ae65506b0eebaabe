import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type HostState, type Repository, toRepositoryPath } from '../host/host-state.ts'
import { type FileChange, type FileChanges, NO_OBJECT } from '../host/types.ts'
import { findBranchTip, noteRefUpdates, readDefaultBranch } from './refs.ts'
import { runGit, runGitBytes } from './run-git.ts'

export interface NewRepository {
  readonly commits: readonly { readonly message: string; readonly files: FileChanges; readonly at?: Date }[]
  /** Default: `main`. */
  readonly branch?: string
  readonly author?: Author
}

export interface UserCommit {
  readonly files: FileChanges
  readonly message: string
  readonly author?: Author
  /** Author and committer time. Default: now. */
  readonly at?: Date
}

interface Author {
  readonly name: string
  readonly email: string
}

const FIRST_COMMIT = Date.UTC(2026, 0, 5, 9)
const HOUR = 3_600_000
const DEMO_AUTHOR: Author = { name: 'Robin Marsh', email: 'robin@example.com' }

/**
 * Creates the bare repository `<root>/<owner>/<name>.git` and its history with one `git
 * fast-import`. Commits without a time are one hour apart, so that the same input produces the same
 * commit IDs. Throws if the repository already exists.
 */
export async function createRepository(
  where: string | { readonly root: string; readonly maxSegments?: number },
  full: string,
  { commits, branch = 'main', author = DEMO_AUTHOR }: NewRepository,
): Promise<void> {
  const { root, maxSegments } = typeof where === 'string' ? { root: where } : where
  const dir = toRepositoryPath(root, full, maxSegments)
  if (existsSync(dir)) throw new Error(`The repository ${full} already exists`)
  await mkdir(dirname(dir), { recursive: true })
  await runGit(dir, 'init', '--quiet', '--bare', '--template=', `--initial-branch=${branch}`)
  await runGit(dir, 'config', 'http.receivepack', 'true')
  if (commits.length === 0) return
  const timed = commits.map((commit, i) => ({ ...commit, author, at: commit.at ?? new Date(FIRST_COMMIT + i * HOUR) }))
  await importCommits(dir, `refs/heads/${branch}`, null, timed)
}

/**
 * Adds a user's commit to a branch and returns its ID. A new branch starts at the default branch.
 * Updates the branch by compare-and-swap. Throws if a concurrent push changed it, so no commit is
 * lost.
 */
export async function pushCommit(
  state: HostState,
  repository: Repository,
  branch: string,
  { files, message, author = DEMO_AUTHOR, at = new Date() }: UserCommit,
): Promise<string> {
  const { dir } = repository
  const tip = await findBranchTip(dir, branch)
  const from = tip ?? (await findBranchTip(dir, await readDefaultBranch(dir)))
  const draft = `refs/drafts/${randomUUID()}`
  await importCommits(dir, draft, from, [{ message, files, author, at }])
  const commit = await runGit(dir, 'rev-parse', draft)
  const ref = `refs/heads/${branch}`
  const old = tip ?? NO_OBJECT
  try {
    await runGit(dir, 'update-ref', ref, commit, old)
  } finally {
    await runGit(dir, 'update-ref', '-d', draft)
  }
  await noteRefUpdates(state, repository, 'user', [{ ref, old, new: commit }])
  return commit
}

/**
 * Merges a commit into a branch at `base` and returns the merge commit.
 * @throws GitError if they conflict
 */
export async function mergeCommits(dir: string, base: string, head: string, message: string): Promise<string> {
  const tree = await runGit(dir, 'merge-tree', '--write-tree', base, head)
  const { name, email } = DEMO_AUTHOR
  const args = ['-c', `user.name=${name}`, '-c', `user.email=${email}`, 'commit-tree', tree, '-p', base, '-p', head]
  return (await runGitBytes({ dir, args, input: message })).toString().trim()
}

/**
 * Runs `git fast-import`: adds commits on top of `from` (a commit ID, or null to start a new
 * history) and points `ref` at the last one. Deletions precede other changes, so that a file can
 * replace a folder.
 */
async function importCommits(
  dir: string,
  ref: string,
  from: string | null,
  commits: readonly Required<UserCommit>[],
): Promise<void> {
  const parts: (string | Uint8Array)[] = ['feature done\n']
  commits.forEach(({ message, files, author, at }, index) => {
    const who = `${author.name} <${author.email}> ${Math.floor(at.getTime() / 1000)} +0000`
    parts.push(`commit ${ref}\nauthor ${who}\ncommitter ${who}\n`, ...toData(message))
    if (index === 0 && from) parts.push(`from ${from}\n`)
    for (const [path, change] of files) if (change === null) parts.push(`D ${quotePath(path)}\n`)
    for (const [path, change] of files) if (change !== null) parts.push(...toModification(path, change))
    parts.push('\n')
  })
  parts.push('done\n')
  const input = Buffer.concat(parts.map((part) => Buffer.from(part)))
  await runGitBytes({ dir, args: ['fast-import', '--quiet', '--done'], input })
}

function toModification(path: string, { data, mode = '100644' }: FileChange): (string | Uint8Array)[] {
  if (mode === '160000') return [`M 160000 ${Buffer.from(data).toString()} ${quotePath(path)}\n`]
  return [`M ${mode} inline ${quotePath(path)}\n`, ...toData(data)]
}

function toData(content: string | Uint8Array): (string | Uint8Array)[] {
  const bytes = Buffer.from(content)
  return [`data ${bytes.length}\n`, bytes, '\n']
}

function quotePath(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n')}"`
}
