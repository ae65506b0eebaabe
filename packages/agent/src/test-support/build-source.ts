import { buildMemoryWorkspace, type Files } from '@corrigenda/git/internal/test-support/memory-workspace'
import type { AgentSource, SourceRange } from '../sources/agent-source.ts'

const HEAD = 'a'.repeat(40)
const BASE = 'b'.repeat(40)

interface SourceSetup extends Partial<Omit<AgentSource, 'workspace' | 'recentChanges'>> {
  readonly files: Files
  /** Files at the start of the recent changes. If omitted, the start is not known. */
  readonly before?: Files
  readonly range?: Partial<SourceRange>
}

/** Builds a source from files in memory. The range lists one commit and the files that differ. */
export function buildSource({ files, before, range, ...facts }: SourceSetup): AgentSource {
  const workspace = buildMemoryWorkspace(files)
  const paths = [...new Set([...Object.keys(before ?? {}), ...Object.keys(files)])].sort()
  const changed = paths.filter((path) => before?.[path] !== files[path])
  return {
    name: 'api',
    repository: 'https://github.com/acme/api',
    commit: HEAD,
    description: 'acme/api, branch main',
    visibility: 'public',
    cite: 'links',
    quotable: [],
    listsChanges: false,
    ...facts,
    workspace,
    recentChanges: async () =>
      before === undefined
        ? null
        : {
            baseCommit: BASE,
            commits: [{ id: HEAD, subject: 'Change the API', pullRequest: null }],
            totalCommits: 1,
            files: changed.map((path) => ({
              path,
              kind: before[path] === undefined ? 'added' : files[path] === undefined ? 'removed' : 'modified',
            })),
            hasMoreFiles: false,
            openBase: async () => buildMemoryWorkspace(before),
            ...range,
          },
  }
}
