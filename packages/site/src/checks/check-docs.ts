import { buildLinkPast } from '../reading/build-link-past.ts'
import type { Check, CheckInput } from '../reading/check.ts'
import type { CheckerLimits } from '../reading/checker-limits.ts'
import { judgeLinks } from '../reading/judge-links.ts'
import type { CheckScope } from '../reading/problem.ts'
import type { Base } from '../reading/read-base.ts'
import { type Now, readNow } from '../reading/read-now.ts'
import type { CheckResult } from '../reading/result.ts'
import type { ContentDeps } from '../thread/read-contents.ts'
import type { Workspace, WorkspaceChange } from '../workspace/workspace.ts'
import { ALL_CHECKS } from './all-checks.ts'
import type { LintDocs } from './lint-docs.ts'
import { matchRenames } from './match-renames.ts'
import { toResult, toUnread } from './to-results.ts'

interface CheckDocsInput {
  readonly workspace: Workspace
  readonly scope: CheckScope
}

export type CheckDocs = (input: CheckDocsInput) => Promise<CheckResult[]>

interface CheckDocsDeps extends ContentDeps {
  readonly limits: CheckerLimits
  readonly lint: LintDocs | null
}

/**
 * Checks the documentation and returns one result per check. `introduced` counts the problems that
 * the base commit does not have. Only these make a check fail. Findings list them first, followed
 * by the existing ones for scope `all`. Without changes, no check runs for scope `changed`. Parsing
 * happens in the runner. All other work yields to the event loop.
 */
export async function checkDocs(
  deps: CheckDocsDeps,
  { workspace, scope, base }: CheckDocsInput & { readonly base: Base },
): Promise<CheckResult[]> {
  const changes = await workspace.changes()
  // A check that has nothing to look at must not pass.
  if (scope === 'changed' && changes.length === 0) return []
  const now = await readNow(deps, workspace, base, changes)
  const renames = matchRenames(changes)
  const everything = scope === 'all'
  const past = await base.pages.read(() => buildLinkPast({ base, sites: now.sites, changed: now.changed, renames }))
  const links = await judgeLinks(base, now, changes, past, everything)
  const pages = everything ? null : changes.map((change) => change.path)
  const input: CheckInput = { workspace, changes, renames, base, now, pages, links }
  const results: CheckResult[] = []
  for (const check of ALL_CHECKS as readonly Check[]) {
    const found = await check.find(input)
    const unjudged = check.findUnjudged?.(input) ?? null
    results.push(await toResult({ check, found, unjudged, scope, now, renames, summary: base.summary }))
  }
  const unread = await base.pages.read(() => findUnread(base, now, everything))
  results.push(...toUnread(unread, everything ? base.leftOut : 0))
  if (deps.lint === null) return results
  return [
    ...results,
    ...(await deps.lint({ workspace, changes: toLintable(now, changes), renames, runner: deps.runner })),
  ]
}

/**
 * Returns the reasons why pages were not read, keyed by page. Excludes invalid pages, which the
 * syntax and front matter checks report.
 */
function findUnread(base: Base, now: Now, everything: boolean): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const paths = everything ? new Set([...base.scanned.keys(), ...now.changed.keys()]) : now.changed.keys()
  for (const path of paths) {
    const content = now.contentOf(path)
    if (content !== undefined && content.unread !== null && content.problems.length === 0)
      found.set(path, content.unread)
  }
  return found
}

function toLintable(now: Now, changes: readonly WorkspaceChange[]): WorkspaceChange[] {
  return changes.filter((change) => now.changed.get(change.path)?.unread === null)
}
