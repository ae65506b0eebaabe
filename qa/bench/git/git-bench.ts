import { fork } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMirrors } from '@corrigenda/git/snapshot'
import { buildOrigin, type Origin } from './build-origin.ts'
import type { JobPlan, JobStats } from './job-plan.ts'
import { type CliKind, createCliMirror, runCliJob, toWorkPath } from './run-cli-job.ts'
import { runOurJob } from './run-our-job.ts'

/**
 * Compares the git package with the Git command line on a job's Git work, with warm caches. The
 * variants take turns running the same job against the same host. The base branch moves before
 * every job. Prints medians. `--quick` skips the large repository and runs fewer jobs.
 */
const quick = process.argv.includes('--quick')
const warmUps = quick ? 1 : 3
const measured = quick ? 5 : 9
const sizes = quick ? [100, 2_000] : [100, 2_000, 15_000]

// Uses a RAM disk if available, because a slow disk would penalize git, which writes a work tree.
const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'corrigenda-bench-'))
process.once('exit', () => rmSync(root, { recursive: true, force: true }))

const host = fork(new URL('./serve-git.js', import.meta.url), [root], { execArgv: [] })
const port = await new Promise<number>((resolve) => host.once('message', (message) => resolve(message as number)))

console.log(
  `job: fetch, list, read 20, search for one literal, edit 3, create 1, commit, push (median of ${measured}, in ms)`,
)
console.log(`work directories in ${root.startsWith('/dev/shm') ? 'memory' : 'the temporary directory'}\n`)
for (const files of sizes) await measure(files)
host.disconnect()

async function measure(files: number): Promise<void> {
  const origin = buildOrigin(root, `docs-${files}.git`, files)
  const url = `http://127.0.0.1:${port}/docs-${files}.git`
  const silent = { info: () => undefined, warn: () => undefined }
  const cacheDir = join(root, `cache-${files}`)
  const mirrors = await openMirrors({ cacheDir, log: silent, coldBuild: 'child' })
  const kinds: CliKind[] = ['worktree', 'plumbing']
  for (const kind of kinds) createCliMirror(join(root, `${kind}-${files}`), url)
  mkdirSync(join(root, 'work'), { recursive: true })

  const ours: JobStats[] = []
  const theirs: Record<CliKind, JobStats[]> = { worktree: [], plumbing: [] }
  let job = 0
  for (let round = 0; round < warmUps + measured; round++) {
    origin.moveOn()
    const our = await runOurJob(mirrors, buildPlan(origin, url, ++job))
    if (round >= warmUps) ours.push(our)
    for (const kind of kinds) {
      origin.moveOn()
      const plan = buildPlan(origin, url, ++job)
      const stats = runCliJob(kind, join(root, `${kind}-${files}`), toWorkPath(join(root, 'work'), job), plan)
      if (stats.hits !== our.hits)
        throw new Error(`The variants found different numbers of pages: ${stats.hits} and ${our.hits}.`)
      if (round >= warmUps) theirs[kind].push(stats)
    }
  }
  await mirrors.close()
  report(files, ours, theirs)
}

function buildPlan(origin: Origin, url: string, job: number): JobPlan {
  const pick = (n: number) => origin.paths[(job * 131 + n * 977) % origin.paths.length] ?? ''
  const edits = [...new Set([1, 2, 3, 4, 5].map(pick))].slice(0, 3)
  return {
    url,
    branch: `job/${job}`,
    reads: Array.from({ length: 20 }, (_, n) => pick(n + 10)),
    needle: 'needle-',
    edits,
    creates: `docs/section-0/new-${job}.md`,
    text: `A new line of job ${job}.\n`,
  }
}

function report(
  files: number,
  ours: readonly JobStats[],
  theirs: Readonly<Record<CliKind, readonly JobStats[]>>,
): void {
  const wall = (jobs: readonly JobStats[]) => median(jobs.map((job) => job.wallMs))
  const cpu = (jobs: readonly JobStats[]) => median(jobs.map((job) => job.cpuMs))
  const line = (name: string, jobs: readonly JobStats[]) => {
    const ratio = `${(wall(ours) / wall(jobs)).toFixed(2)} x wall, ${(cpu(ours) / cpu(jobs)).toFixed(2)} x cpu`
    console.log(
      `  ${name.padEnd(22)} ${wall(jobs).toFixed(0).padStart(6)} wall ${cpu(jobs).toFixed(0).padStart(6)} cpu${jobs === ours ? '' : `   corrigenda is ${ratio}`}`,
    )
  }
  console.log(`${files} files`)
  line('corrigenda', ours)
  line('git, work tree', theirs.worktree)
  line('git, plumbing only', theirs.plumbing)
  const names = Object.keys(ours[0]?.phases ?? {})
  const phases = names.map((name) => `${name} ${median(ours.map((job) => job.phases[name] ?? 0)).toFixed(0)}`)
  console.log(`  corrigenda by phase: ${phases.join(', ')}\n`)
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}
