import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CheckFinding, CheckResult } from '@corrigenda/contracts'
import { buildChecker } from '@corrigenda/site/checks'
import type { CheckRunner } from '@corrigenda/site/internal/thread/task'
import { buildCommitWorkspace } from './build-commit-workspace.ts'
import { type GitEntry, type GitObjects, openObjects } from './open-objects.ts'
import { readMissingAsEmpty } from './read-missing-as-empty.ts'
import { runGit } from './run-git.ts'

export interface HistoryInput {
  /** Folder of a clone, or a URL to clone. */
  readonly source: string
  /**
   * Number of most recent commits to check. Merges are excluded because their content is checked in
   * other commits.
   */
  readonly commits: number
  readonly runner: CheckRunner
  print(line: string): void
}

export interface HistoryReport {
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
export async function checkHistory(input: HistoryInput): Promise<HistoryReport> {
  const { source, print } = input
  if (!/^[a-z]+:\/\/|^[\w.-]+@[\w.-]+:/i.test(source)) return await walk(input, source)
  const folder = await mkdtemp(join(tmpdir(), 'check-history-'))
  try {
    print(`Cloning ${source} …`)
    await runGit(folder, [
      'clone',
      '--quiet',
      '--bare',
      '--single-branch',
      '--depth',
      String(input.commits + 1),
      '--',
      source,
      '.',
    ])
    return await walk(input, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function walk(input: HistoryInput, folder: string): Promise<HistoryReport> {
  const log = await runGit(folder, ['log', '--no-merges', `--max-count=${input.commits}`, '--format=%H%x00%P%x00%s'])
  const commits = log.split('\n').flatMap((row) => {
    const [hash = '', parents = '', subject = ''] = row.split('\0')
    // A root commit and the oldest commit of a shallow clone have no parent.
    return parents === '' ? [] : [{ hash, parent: parents.split(' ')[0] ?? '', subject }]
  })
  const objects = openObjects(folder)
  const { objects: readable, missing } = readMissingAsEmpty(objects)
  try {
    return { ...(await checkCommits(input, readable, commits.reverse())), missing: missing.size }
  } finally {
    objects.close()
  }
}

async function checkCommits(
  { runner, print }: HistoryInput,
  objects: GitObjects,
  commits: readonly { hash: string; parent: string; subject: string }[],
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
