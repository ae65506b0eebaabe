import { buildCommit, pushBranch } from '@corrigenda/git/commit'
import type { Mirrors } from '@corrigenda/git/snapshot'
import { openWorkTree } from '@corrigenda/git/work-tree'
import type { JobPlan, JobStats } from './job-plan.ts'

/**
 * Runs one job as the worker does, but without the model: fetches the newest commit, lists the
 * pages, reads 20, searches all pages, edits 3, creates 1, commits and pushes.
 */
export async function runOurJob(mirrors: Mirrors, plan: JobPlan): Promise<JobStats> {
  const cpuBefore = process.cpuUsage()
  const phases: Record<string, number> = {}
  let last = performance.now()
  const startedAt = last
  const lap = (name: string) => {
    const now = performance.now()
    phases[name] = now - last
    last = now
  }
  await using snapshot = await mirrors.openSnapshot({ tenant: 'bench', url: plan.url, branch: 'main', token: null })
  lap('get')
  const tree = await openWorkTree({ snapshot })
  const entries = await tree.list()
  lap('list')
  for (const path of plan.reads) await tree.read(path)
  lap('read')
  const needle = Buffer.from(plan.needle)
  let hits = 0
  for (const { path } of entries) {
    const bytes = await tree.read(path)
    if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(needle)) hits++
  }
  lap('search')
  for (const path of plan.edits) await tree.write(path, Buffer.concat([await tree.read(path), Buffer.from(plan.text)]))
  await tree.write(plan.creates, Buffer.from(plan.text))
  const who = { name: 'Bench', email: 'bench@example.com' }
  const built = await buildCommit({
    snapshot,
    changes: tree.overlay(),
    message: 'Edit',
    author: who,
    committer: who,
    timestamp: 1_800_000_000,
  })
  lap('commit')
  if (!built) throw new Error('The job changed nothing.')
  await pushBranch({ http: { url: plan.url, token: null }, branch: plan.branch, expected: null, built })
  lap('push')
  const cpu = process.cpuUsage(cpuBefore)
  return { wallMs: last - startedAt, cpuMs: (cpu.user + cpu.system) / 1000, hits, phases }
}
