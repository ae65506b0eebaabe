import { removeHidden, shorten } from '@corrigenda/git/text'
import type { SourceCommit, SourceRange } from './agent-source.ts'

const MAX_SUBJECT = 200

/** Formats the commits and files of a range as rows, and states what was left out. */
export function formatRange(range: SourceRange, limits: { readonly commits: number; readonly files: number }): string {
  const { baseCommit, commits, totalCommits, files, hasMoreFiles } = range
  if (totalCommits === 0) return `No commits since ${toShort(baseCommit)}.`
  const shown = commits.slice(0, limits.commits)
  const listed = files.slice(0, limits.files)
  const rows = [
    shown.length < totalCommits
      ? `${totalCommits} commits since ${toShort(baseCommit)}, which is too large a range to list. ${toOmission(shown.length, totalCommits)}:`
      : `${totalCommits} ${totalCommits === 1 ? 'commit' : 'commits'} since ${toShort(baseCommit)}, newest first:`,
    ...shown.map(formatCommit),
    'Changed files:',
    ...listed.map(({ path, kind }) => `${kind} ${path}`),
  ]
  if (listed.length === 0) rows.push('(none that you may read)')
  if (listed.length < files.length || hasMoreFiles) {
    rows.push(
      hasMoreFiles
        ? '[more files changed, which are not listed; use source_changes with a path]'
        : `[${files.length - listed.length} more files are not listed; use source_changes]`,
    )
  }
  return rows.join('\n')
}

function toOmission(shown: number, total: number): string {
  const left = `${total - shown} older ${total - shown === 1 ? 'commit is' : 'commits are'} left out`
  return shown === 0 ? 'No commit is listed' : `The newest ${shown} are listed, newest first, and ${left}`
}

function formatCommit({ id, subject, pullRequest }: SourceCommit): string {
  const merged = pullRequest?.title ? ` (pull request ${pullRequest.number}: ${clean(pullRequest.title)})` : ''
  return `${toShort(id)} ${clean(subject)}${merged}`
}

/** Commit messages are untrusted and may contain invisible characters. */
const clean = (text: string): string => shorten(removeHidden(text).replace(/\s+/g, ' ').trim(), MAX_SUBJECT)

const toShort = (commit: string): string => commit.slice(0, 12)
