import { fork } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRepository } from '@corrigenda/demo'
import { buildOrigin, COMMITS, FILES, moveOn } from './build-origin.ts'
import type { Phase } from './measure.ts'
import { cloneWithGit, fetchWithGit } from './run-git.ts'
import { runWorker } from './run-worker.ts'

/**
 * Measures what a source of 20,000 files costs a job, beside the Git command line on the same host.
 * The variants take turns. Prints medians.
 */
const COLD_ROUNDS = 3
const WARM_ROUNDS = 7
const MIB = 1024 * 1024

// Uses a RAM disk if available, because a slow disk would penalize git, which writes a work tree.
const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'corrigenda-bench-'))
process.once('exit', () => rmSync(root, { recursive: true, force: true }))
const repositories = join(root, 'host')
await createRepository(repositories, 'acme/code', { commits: [] })
const dir = join(repositories, 'acme/code.git')
const bytes = buildOrigin(dir)
const pages = Array.from({ length: 100 }, (_, n) => [`docs/page-${n}.md`, { data: `# Page ${n}\n\nText.\n` }] as const)
await createRepository(repositories, 'acme/docs', { commits: [{ message: 'docs: start', files: new Map(pages) }] })

const server = fork(new URL('./serve-host.js', import.meta.url), [repositories], { execArgv: [] })
const host = await new Promise<{ url: string; apiUrl: string; token: string }>((resolve) =>
  server.once('message', (message) => resolve(message as { url: string; apiUrl: string; token: string })),
)
const url = new URL('acme/code', `${host.url}/`).href
const remote = url.replace('://', `://x-access-token:${host.token}@`)
const base = { apiUrl: host.apiUrl, token: host.token, docs: new URL('acme/docs', `${host.url}/`).href }
console.log(`source: ${FILES} files, ${(bytes / MIB).toFixed(0)} MiB, ${COMMITS} commits; medians, in ms\n`)

let moves = 0
const move = () => moveOn(dir, ++moves)
const none = await runWorker({ ...base, cacheDir: join(root, 'none'), source: null, rounds: 0, usesTools: false })
const cold: Phase[] = []
const clones: Pick<Phase, 'wallMs' | 'cpuMs'>[] = []
let childPeak = 0
for (let round = 0; round < COLD_ROUNDS; round += 1) {
  const plan = { ...base, source: url, rounds: 0, usesTools: false }
  const { phases, childPeakBytes } = await runWorker({ ...plan, cacheDir: join(root, `cold-${round}`) })
  cold.push(...phases)
  childPeak = Math.max(childPeak, childPeakBytes)
  clones.push(cloneWithGit(`${remote}.git`, join(root, `clone-${round}`)))
}
const fetches: Pick<Phase, 'wallMs' | 'cpuMs'>[] = []
const { phases, chars } = await runWorker(
  { ...base, cacheDir: join(root, 'cold-0'), source: url, rounds: WARM_ROUNDS, usesTools: true },
  () => {
    move()
    fetches.push(fetchWithGit(join(root, 'clone-0')))
    move()
  },
)
server.disconnect()

const warm = phases.filter(({ name }) => name === 'open again')
compare('cold', cold, 'git clone --depth 1', clones)
compare('warm', warm, 'git fetch --depth 1', fetches)
console.log(`\nfirst message: ${chars} characters, ${none.chars} without a source`)
console.log(`  difference: ${chars - none.chars} characters, about ${Math.round((chars - none.chars) / 4)} tokens`)
const before = Math.max(...none.phases.map(({ peakBytes }) => peakBytes))
console.log(`\npeak memory of the worker: ${toMib(before)} MiB without a source`)
console.log(`  process that downloads the source: ${toMib(childPeak)} MiB`)
print({ ...median(cold), name: 'open, cold', peakBytes: Math.max(...cold.map(({ peakBytes }) => peakBytes)) })
for (const phase of phases) print(phase)

function compare(
  name: string,
  ours: readonly Pick<Phase, 'wallMs' | 'cpuMs'>[],
  other: string,
  theirs: readonly Pick<Phase, 'wallMs' | 'cpuMs'>[],
): void {
  const [a, b] = [median(ours), median(theirs)]
  console.log(
    `${name}: pin, open and list ${a.wallMs.toFixed(0)} wall ${a.cpuMs.toFixed(0)} cpu; ${other} ${b.wallMs.toFixed(0)} wall ${b.cpuMs.toFixed(0)} cpu; ${(a.wallMs / b.wallMs).toFixed(2)} x wall, ${(a.cpuMs / b.cpuMs).toFixed(2)} x cpu`,
  )
}

function print({ name, wallMs, cpuMs, peakBytes }: Phase): void {
  const extra = toMib(peakBytes - before)
  console.log(
    `  ${name.padEnd(60)} ${wallMs.toFixed(0).padStart(7)} wall ${cpuMs.toFixed(0).padStart(7)} cpu  +${extra} MiB`,
  )
}

function median(values: readonly Pick<Phase, 'wallMs' | 'cpuMs'>[]): { wallMs: number; cpuMs: number } {
  const middle = (of: 'wallMs' | 'cpuMs') => values.map((one) => one[of]).sort((a, b) => a - b)[values.length >> 1] ?? 0
  return { wallMs: middle('wallMs'), cpuMs: middle('cpuMs') }
}

function toMib(size: number): string {
  return (size / MIB).toFixed(0)
}
