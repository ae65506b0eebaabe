import type { SourceCommit, SourceRange } from '@corrigenda/agent/sources'
import type { Commit, GitHost } from '../git-host/git-host.ts'

const MAX_COMMITS = 100
/** A work tree does not list these names, which could imitate other rows of the list. */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}]/u

/**
 * Reads the commits and files of a range from the Git host.
 * @throws GitHostError
 */
export async function readRange(
  gitHost: GitHost,
  { base, commit, openBase }: { base: string; commit: string; openBase: SourceRange['openBase'] },
): Promise<SourceRange> {
  if (base === commit) {
    return { baseCommit: base, commits: [], totalCommits: 0, files: [], hasMoreFiles: false, openBase }
  }
  const { commits, totalCommits, added, modified, removed, hasMoreFiles } = await gitHost.compareCommits({
    base,
    head: commit,
  })
  // Of a long range, the host lists the oldest commits.
  const newest =
    totalCommits > commits.length
      ? await gitHost.listCommits({ ref: commit, limit: MAX_COMMITS })
      : commits.toReversed()
  const toFiles = (paths: readonly string[], kind: 'added' | 'modified' | 'removed') =>
    paths.map((path) => ({ path, kind }))
  const files = [...toFiles(added, 'added'), ...toFiles(modified, 'modified'), ...toFiles(removed, 'removed')]
  const listed = files.filter(({ path }) => !HIDDEN.test(path))
  return {
    ...{ baseCommit: base, totalCommits, openBase },
    hasMoreFiles: hasMoreFiles || listed.length < files.length,
    commits: newest.map(toSourceCommit),
    files: listed.sort((a, b) => (a.path < b.path ? -1 : 1)),
  }
}

/** Reads the pull request from the message of a merge commit or a squashed commit. */
function toSourceCommit({ id, message }: Commit): SourceCommit {
  const [subject = '', ...rest] = message.split(/\r?\n/)
  const merged = /^Merge pull request #(\d{1,9}) from /.exec(subject)
  const number = merged?.[1] ?? /\(#(\d{1,9})\)\s*$/.exec(subject)?.[1]
  const title = merged === null ? null : (rest.find((line) => line.trim() !== '')?.trim() ?? null)
  return { id, subject, pullRequest: number === undefined ? null : { number: Number(number), title } }
}
