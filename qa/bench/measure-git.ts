import { execFileSync, fork, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildCommit, pushBranch } from '@corrigenda/git/commit'
import { type Mirrors, openMirrors } from '@corrigenda/git/snapshot'
import { openWorkTree } from '@corrigenda/git/work-tree'
import { buildOrigin, type Origin } from './build-origin.ts'

const SIZES = [100, 2_000]
const WARM_UPS = 2
const MEASURED = 9

/** One job's work, identical for both variants. */
interface JobPlan {
  readonly url: string
  readonly branch: string
  readonly reads: readonly string[]
  readonly edits: readonly string[]
  readonly creates: string
  readonly text: string
}

interface Times {
  readonly wallMs: number
  /** CPU time of the client, excluding the host. */
  readonly cpuMs: number
}

/** Compares the Git work of a job with the same work done by the Git command line, in turns. */
export async function measureGit(print: (line: string) => void): Promise<void> {
  // Uses a RAM disk if available, because a slow disk would penalize git, which writes a work tree.
  const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'corrigenda-bench-'))
  const host = fork(new URL('./serve-git.js', import.meta.url), [root], { execArgv: [] })
  try {
    const port = await new Promise<number>((resolve) => host.once('message', (message) => resolve(message as number)))
    print('fetch, list, read 20 and search all pages, edit 3, create 1, commit, push (medians in ms)')
    for (const files of SIZES) await measure({ root, port, files, print })
  } finally {
    host.disconnect()
    rmSync(root, { recursive: true, force: true })
  }
}

async function measure(input: { root: string; port: number; files: number; print: (line: string) => void }) {
  const { root, port, files, print } = input
  const origin = buildOrigin(root, `docs-${files}.git`, files)
  const url = `http://127.0.0.1:${port}/docs-${files}.git`
  const silent = { info: () => undefined, warn: () => undefined }
  const mirrors = await openMirrors({ cacheDir: join(root, `cache-${files}`), log: silent, coldBuild: 'child' })
  const bare = join(root, `bare-${files}`)
  createBareMirror(bare, url)
  const ours: Times[] = []
  const theirs: Times[] = []
  for (let round = 0; round < WARM_UPS + MEASURED; round += 1) {
    origin.moveOn()
    const our = await runOurJob(mirrors, buildPlan(origin, url, 2 * round))
    origin.moveOn()
    const their = runGitJob(bare, join(root, `work-${files}-${round}`), buildPlan(origin, url, 2 * round + 1))
    if (round < WARM_UPS) continue
    ours.push(our)
    theirs.push(their)
  }
  await mirrors.close()
  for (const kind of ['wallMs', 'cpuMs'] as const) {
    const [our, their] = [median(ours.map((one) => one[kind])), median(theirs.map((one) => one[kind]))]
    const name = `${files} files, ${kind === 'wallMs' ? 'wall' : 'cpu'}`
    print(
      `${name.padEnd(22)} ${our.toFixed(0).padStart(6)}, git ${their.toFixed(0)}, ratio ${(our / their).toFixed(2)}`,
    )
  }
}

function buildPlan(origin: Origin, url: string, job: number): JobPlan {
  const pick = (n: number) => origin.paths[(job * 131 + n * 977) % origin.paths.length] ?? ''
  return {
    url,
    branch: `job/${job}`,
    reads: Array.from({ length: 20 }, (_, n) => pick(n + 10)),
    edits: [...new Set([1, 2, 3, 4, 5].map(pick))].slice(0, 3),
    creates: `docs/section-0/new-${job}.md`,
    text: `A new line of job ${job}.\n`,
  }
}

/** Works as a worker does, but without the model. */
async function runOurJob(mirrors: Mirrors, plan: JobPlan): Promise<Times> {
  const cpu = process.cpuUsage()
  const start = performance.now()
  await using snapshot = await mirrors.openSnapshot({ tenant: 'bench', url: plan.url, branch: 'main', token: null })
  const tree = await openWorkTree({ snapshot })
  for (const path of plan.reads) await tree.read(path)
  for (const { path } of await tree.list()) Buffer.from(await tree.read(path)).includes('needle-')
  for (const path of plan.edits) await tree.write(path, Buffer.concat([await tree.read(path), Buffer.from(plan.text)]))
  await tree.write(plan.creates, Buffer.from(plan.text))
  const who = { name: 'Bench', email: 'bench@example.com' }
  const commit = { message: 'Edit', author: who, committer: who, timestamp: 1_800_000_000 }
  const built = await buildCommit({ snapshot, changes: tree.overlay(), ...commit })
  if (!built) throw new Error('The job changed nothing.')
  await pushBranch({ http: { url: plan.url, token: null }, branch: plan.branch, expected: null, built })
  const { user, system } = process.cpuUsage(cpu)
  return { wallMs: performance.now() - start, cpuMs: (user + system) / 1000 }
}

/** One work tree per job on a persistent bare mirror, like a worker built on the Git command line. */
const SCRIPT = `set -e
git -C "$MIRROR" fetch --quiet --depth 1 origin +refs/heads/main:refs/heads/main
git -C "$MIRROR" worktree add --quiet --detach "$WORK" refs/heads/main
cd "$WORK"
git ls-files > "$WORK.list"
xargs cat < "$WORK.reads" > /dev/null
git grep -lF -e needle- > /dev/null
while read -r path; do printf '%s' "$TEXT" >> "$path"; done < "$WORK.edits"
mkdir -p "$(dirname "$CREATES")"
printf '%s' "$TEXT" > "$CREATES"
xargs git add -- "$CREATES" < "$WORK.edits"
git commit --quiet -m Edit
git push --quiet origin "HEAD:refs/heads/$BRANCH"
times`

function runGitJob(mirror: string, work: string, plan: JobPlan): Times {
  writeFileSync(`${work}.reads`, plan.reads.join('\n'))
  writeFileSync(`${work}.edits`, `${plan.edits.join('\n')}\n`)
  const variables = { MIRROR: mirror, WORK: work, CREATES: plan.creates, TEXT: plan.text, BRANCH: plan.branch }
  const start = performance.now()
  const env = { ...process.env, ...variables }
  const run = spawnSync('bash', ['-c', SCRIPT], { encoding: 'utf8', env })
  const wallMs = performance.now() - start
  if (run.status !== 0) throw new Error(`git failed: ${run.stderr}`)
  execFileSync('git', ['-C', mirror, 'worktree', 'remove', '--force', work])
  // The output of the shell's `times`, such as "0m0.012s".
  const seconds = [...run.stdout.matchAll(/(\d+)m([\d.]+)s/g)].map((match) => Number(match[1]) * 60 + Number(match[2]))
  return { wallMs, cpuMs: seconds.reduce((sum, one) => sum + one, 0) * 1000 }
}

function createBareMirror(dir: string, url: string): void {
  execFileSync('git', ['init', '--quiet', '--bare', dir])
  const settings = [
    ['remote.origin.url', url],
    ['gc.auto', '0'],
    ['maintenance.auto', 'false'],
    ['user.name', 'Bench'],
    ['user.email', 'bench@example.com'],
  ]
  for (const [name = '', value = ''] of settings) execFileSync('git', ['-C', dir, 'config', name, value])
  execFileSync('git', ['-C', dir, 'fetch', '--quiet', '--depth', '1', 'origin', '+refs/heads/main:refs/heads/main'])
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
