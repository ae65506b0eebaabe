import { buildPathPolicy, CODE_WORDS, findFlags } from '@corrigenda/agent/policy'
import type { CodeKind } from '@corrigenda/contracts'
import { findNewCode } from '@corrigenda/site/executable'
import { matchRenames } from '@corrigenda/site/internal/checks/match-renames'
import { buildCommitWorkspace } from './build-commit-workspace.ts'
import { readMissingAsEmpty } from './read-missing-as-empty.ts'
import { type HistorySource, walkHistory } from './walk-history.ts'

interface CodeHistory {
  /** Number of commits that only change files that the agent may write by default. */
  readonly checked: number
  /** Number of these that add executable content, which the agent could not do by default. */
  readonly refused: number
  /** Number of these that contain something for the reviewer to check. */
  readonly flagged: number
  /** Number of commits by kind of content. */
  readonly kinds: Readonly<Partial<Record<CodeKind, number>>>
}

/** Finds the executable content that a repository's newest commits added, and prints it. */
export function findCodeHistory(input: HistorySource): Promise<CodeHistory> {
  const policy = buildPathPolicy()
  return walkHistory(input, async (objects, commits) => {
    const { objects: readable } = readMissingAsEmpty(objects)
    let [checked, refused, flagged] = [0, 0, 0]
    const kinds: Partial<Record<CodeKind, number>> = {}
    for (const { hash, parent, subject } of commits) {
      const trees = [await readable.listTree(parent), await readable.listTree(hash)] as const
      const workspace = buildCommitWorkspace(readable, ...trees)
      const changes = await workspace.changes()
      if (changes.length === 0 || changes.some(({ path }) => policy.explain(path, 'write') !== null)) continue
      checked += 1
      if (findFlags(changes).length > 0) flagged += 1
      const found = await findNewCode(workspace, matchRenames(changes))
      if (found.length === 0) continue
      refused += 1
      input.print(`${hash.slice(0, 10)} ${subject}`)
      for (const { kind, path, line } of found.slice(0, 10)) input.print(`    ${path}:${line}: ${CODE_WORDS[kind]}`)
      for (const kind of new Set(found.map((code) => code.kind))) kinds[kind] = (kinds[kind] ?? 0) + 1
    }
    return { checked, refused, flagged, kinds }
  })
}
