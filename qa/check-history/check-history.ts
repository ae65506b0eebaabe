import type { CheckFinding, CheckResult } from '@corrigenda/contracts'
import { buildChecker } from '@corrigenda/site/checks'
import type { CheckRunner } from '@corrigenda/site/internal/thread/task'
import { buildCommitWorkspace } from './build-commit-workspace.ts'
import type { GitEntry, GitObjects } from './open-objects.ts'
import { readMissingAsEmpty } from './read-missing-as-empty.ts'
import { type HistorySource, type PastCommit, walkHistory } from './walk-history.ts'

interface HistoryInput extends HistorySource {
  readonly runner: CheckRunner
}

interface HistoryReport {
  /** Number of commits that touch pages, navigation or images. */
  readonly checked: number
  /**
   * Number of commits with a problem that would fail the job (`failed`), that would block the change
   * (`blocked`), and with any problem (`flagged`).
   */
  readonly failed: number
  readonly blocked: number
  readonly flagged: number
  /**
   * Median CPU time per commit, in ms, over the newest half of the commits, when most pages are
   * already cached.
   */
  readonly cpuMs: number
  /** Number of files that the clone lacks, for example because of a size filter. Read as empty. */
  readonly missing: number
  readonly baseline: readonly CheckResult[]
}

/** Runs the checks on a repository's newest commits and prints each commit's findings. */
export function checkHistory(input: HistoryInput): Promise<HistoryReport> {
  return walkHistory(input, async (objects, commits) => {
    const { objects: readable, missing } = readMissingAsEmpty(objects)
    return { ...(await checkCommits(input, readable, commits)), missing: missing.size }
  })
}

async function checkCommits(
  { runner, print }: HistoryInput,
  objects: GitObjects,
  commits: readonly PastCommit[],
): Promise<Omit<HistoryReport, 'missing'>> {
  const { checkDocs } = buildChecker({ runner, limits: { maxPages: 50_000, readMs: 3_600_000 } })
  let [checked, failed, blocked, flagged] = [0, 0, 0, 0]
  const times: number[] = []
  let [baseline, newest]: [CheckResult[], readonly GitEntry[]] = [[], []]
  for (const { hash, parent, subject } of commits) {
    const before = await objects.listTree(parent)
    newest = await objects.listTree(hash)
    const workspace = buildCommitWorkspace(objects, before, newest)
    if (
      !(await workspace.changes()).some(({ path }) =>
        /\.(?:mdx?|markdown|json|ya?ml|toml|[cm]?[jt]s|png|svg|jpe?g|gif|webp)$/i.test(path),
      )
    )
      continue
    const started = process.cpuUsage()
    const results = await checkDocs({ workspace, scope: 'changed' })
    const { user, system } = process.cpuUsage(started)
    times.push((user + system) / 1000)
    checked += 1
    const found = results.flatMap(({ name, introduced, findings }) =>
      findings.slice(0, introduced).map((finding) => ({ name, ...finding })),
    )
    if (found.length === 0) continue
    flagged += 1
    const isBlocked = found.some(({ advisory }) => advisory !== true)
    if (isBlocked) blocked += 1
    if (found.some((finding) => toLevel(finding) === 'FAIL  ')) failed += 1
    print(`${isBlocked ? 'BLOCK ' : 'advice'} ${hash.slice(0, 10)} ${subject}`)
    for (const finding of found.slice(0, 20)) {
      const { name, file, line, message } = finding
      print(`    ${toLevel(finding)} [${name}] ${file}${line === null ? '' : `:${line}`}: ${message}`)
    }
    if (found.length > 20) print(`    … and ${found.length - 20} more`)
  }
  if (newest.length > 0) {
    baseline = await checkDocs({ workspace: buildCommitWorkspace(objects, newest, newest), scope: 'all' })
  }
  const late = times.slice(Math.floor(times.length / 2)).sort((a, b) => a - b)
  return { checked, failed, blocked, flagged, cpuMs: Math.round(late[Math.floor(late.length / 2)] ?? 0), baseline }
}

function toLevel({ advisory, breaksBuild }: CheckFinding): string {
  if (advisory === true) return 'advice'
  return breaksBuild === true ? 'FAIL  ' : 'BLOCK '
}
