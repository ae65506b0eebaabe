import { findInGit, runGitBytes } from './run-git.ts'

export interface CommitFacts {
  readonly sha: string
  readonly parents: readonly string[]
  readonly author: Signature
  readonly committer: Signature
  readonly message: string
}

export interface Signature {
  readonly name: string
  readonly email: string
  readonly date: string
}

const FORMAT = ['%H', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B'].join('%x00')

/**
 * Returns the commits in a range or the newest commits on a branch, newest first. Returns null if
 * git cannot resolve the revision. `options` are passed to `git log`.
 */
export async function findCommits(dir: string, revision: string, ...options: string[]): Promise<CommitFacts[] | null> {
  const args = ['log', '-z', `--format=${FORMAT}%x00`, ...options, '--end-of-options', revision, '--']
  const text = await findInGit(dir, ...args)
  if (text === null) return null
  const fields = text.split('\0')
  const commits: CommitFacts[] = []
  // Each commit has nine fields, followed by the `-z` separator.
  for (let i = 0; i + 8 < fields.length; i += 10) commits.push(toFacts(fields.slice(i, i + 9)))
  return commits
}

function toFacts(fields: readonly string[]): CommitFacts {
  const [sha = '', parents = '', authorName = '', authorEmail = '', authoredAt = '', ...others] = fields
  const [committerName = '', committerEmail = '', committedAt = '', message = ''] = others
  return {
    sha,
    parents: parents.split(' ').filter(Boolean),
    author: { name: authorName, email: authorEmail, date: authoredAt },
    committer: { name: committerName, email: committerEmail, date: committedAt },
    message: message.trimEnd(),
  }
}

export interface ChangedFile {
  readonly path: string
  /** Previous path of a renamed file. */
  readonly previousPath: string | null
  readonly status: 'added' | 'removed' | 'modified' | 'renamed' | 'changed'
  readonly additions: number
  readonly deletions: number
  /** Hunks from the first `@@`, or null for binary files and for pure renames or mode changes. */
  readonly patch: string | null
}

const OPTIONS = ['--no-color', '--no-ext-diff', '--no-textconv', '--find-renames', '--full-index']
const STATUS: Readonly<Record<string, ChangedFile['status']>> = {
  A: 'added',
  D: 'removed',
  M: 'modified',
  R: 'renamed',
}

/**
 * Returns a pull request's changes, from its fork point to its head, as a git patch or in the format
 * of another option of `git diff`.
 */
export async function readPatch(dir: string, base: string, head: string, ...format: string[]): Promise<Buffer> {
  const fork = (await findInGit(dir, 'merge-base', base, head)) ?? base
  return runGitBytes({ dir, args: ['diff', ...OPTIONS, ...format, fork, head, '--'] })
}

/** Returns the same changes file by file, in git's order. */
export async function readChangedFiles(dir: string, base: string, head: string): Promise<ChangedFile[]> {
  const patches = splitPatch((await readPatch(dir, base, head)).toString())
  const parts = (await readPatch(dir, base, head, '--name-status', '-z')).toString().split('\0')
  const files: ChangedFile[] = []
  // Each file has a status and a path. A renamed file has two paths.
  for (let i = 0; i + 1 < parts.length; ) {
    const status = STATUS[parts[i]?.charAt(0) ?? ''] ?? 'changed'
    const previousPath = status === 'renamed' ? (parts[i + 1] ?? null) : null
    i += status === 'renamed' ? 3 : 2
    const patch = patches[files.length] ?? null
    const lines = patch?.split('\n') ?? []
    files.push({
      path: parts[i - 1] ?? '',
      previousPath,
      status,
      additions: lines.filter((line) => line.startsWith('+')).length,
      deletions: lines.filter((line) => line.startsWith('-')).length,
      patch,
    })
  }
  return files
}

/**
 * Splits a patch into files. Every line of a hunk starts with a space, +, - or \, so a line that
 * starts with "diff --git" starts a new file.
 */
function splitPatch(patch: string): (string | null)[] {
  return `\n${patch}`
    .split('\ndiff --git ')
    .slice(1)
    .map((section) => {
      const start = section.indexOf('\n@@ ')
      return start < 0 ? null : section.slice(start + 1).replace(/\n$/, '')
    })
}
