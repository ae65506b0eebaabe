import { findInGit, runGitBytes } from '../git/run-git.ts'

export interface ChangedFile {
  readonly path: string
  /** Previous path of a renamed file. */
  readonly previousPath: string | null
  readonly status: 'added' | 'removed' | 'modified' | 'renamed' | 'changed'
  readonly additions: number
  readonly deletions: number
  /** Blob id after the change, or the id of the removed blob. */
  readonly sha: string
  /** Hunks from the first `@@`, or null for binary files and for pure renames or mode changes. */
  readonly patch: string | null
}

const OPTIONS = ['--no-color', '--no-ext-diff', '--no-textconv', '--find-renames', '--full-index']
const STATUS: Readonly<Record<string, ChangedFile['status']>> = {
  A: 'added',
  D: 'removed',
  M: 'modified',
  R: 'renamed',
  T: 'changed',
}

/** Returns a pull request's changes, from its fork point to its head, as a git patch. */
export async function readPatch(dir: string, base: string, head: string): Promise<Buffer> {
  return runGitBytes({ dir, args: ['diff', ...OPTIONS, await findForkPoint(dir, base, head), head, '--'] })
}

/** Returns the same changes file by file, in git's order. */
export async function readChangedFiles(dir: string, base: string, head: string): Promise<ChangedFile[]> {
  const fork = await findForkPoint(dir, base, head)
  const diff = (...what: string[]) => runGitBytes({ dir, args: ['diff', ...OPTIONS, ...what, fork, head, '--'] })
  const [raw, counts, patch] = await Promise.all([diff('--raw', '-z'), diff('--numstat', '-z'), diff('--patch')])
  const sections = splitPatch(patch.toString())
  const numbers = parseCounts(counts.toString())
  return parseRaw(raw.toString()).map((file, i) => ({
    ...file,
    additions: numbers[i]?.additions ?? 0,
    deletions: numbers[i]?.deletions ?? 0,
    patch: sections[i] ?? null,
  }))
}

/** Counts a pull request's changes without reading its patch. */
export async function countChanges(dir: string, base: string, head: string) {
  const fork = await findForkPoint(dir, base, head)
  const args = ['diff', ...OPTIONS, '--numstat', '-z', fork, head, '--']
  const files = parseCounts((await runGitBytes({ dir, args })).toString())
  return {
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
    changedFiles: files.length,
  }
}

async function findForkPoint(dir: string, base: string, head: string): Promise<string> {
  return (await findInGit(dir, 'merge-base', base, head)) ?? base
}

/** Parses `:mode mode sha sha status NUL path NUL [path NUL]`. */
function parseRaw(text: string): Omit<ChangedFile, 'additions' | 'deletions' | 'patch'>[] {
  const parts = text.split('\0')
  const files: Omit<ChangedFile, 'additions' | 'deletions' | 'patch'>[] = []
  for (let i = 0; i + 1 < parts.length; ) {
    const [, , before = '', after = '', code = ''] = (parts[i] ?? '').split(' ')
    const status = STATUS[code.charAt(0)] ?? 'changed'
    const renamed = status === 'renamed'
    const path = parts[i + (renamed ? 2 : 1)] ?? ''
    const previousPath = renamed ? (parts[i + 1] ?? null) : null
    files.push({ path, previousPath, status, sha: status === 'removed' ? before : after })
    i += renamed ? 3 : 2
  }
  return files
}

/**
 * Parses `added TAB deleted TAB path NUL`. A rename has an empty path and two more fields. Binary
 * files have `-` instead of counts.
 */
function parseCounts(text: string): { additions: number; deletions: number }[] {
  const parts = text.split('\0')
  const counts: { additions: number; deletions: number }[] = []
  for (let i = 0; i + 1 < parts.length; ) {
    const [added = '', deleted = '', path] = (parts[i] ?? '').split('\t')
    counts.push({ additions: Number.parseInt(added, 10) || 0, deletions: Number.parseInt(deleted, 10) || 0 })
    i += path === '' ? 3 : 1
  }
  return counts
}

/**
 * Splits a patch into files. Every line of a hunk starts with a space, +, - or \, so a line that
 * starts with "diff --git" starts a new file.
 */
function splitPatch(patch: string): (string | null)[] {
  return patch
    .split(/^diff --git .*\n/m)
    .slice(1)
    .map((section) => {
      const start = section.search(/^@@ /m)
      return start < 0 ? null : section.slice(start).replace(/\n$/, '')
    })
}
