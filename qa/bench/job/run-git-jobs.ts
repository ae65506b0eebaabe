import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createCliMirror } from '../git/run-cli-job.ts'
import type { BenchProject } from './open-bench-stack.ts'

/** The same change as a job's, with one work tree per job on a persistent bare mirror. */
const SCRIPT = `
git -C "$MIRROR" fetch --quiet --depth 1 origin +refs/heads/main:refs/heads/main
git -C "$MIRROR" worktree add --quiet --detach "$WORK" refs/heads/main
cd "$WORK"
sed -i "s/^title: .*/&, edited by git/" "$PAGE"
git add -- "$PAGE"
git commit --quiet -m Edit
git push --quiet origin "HEAD:refs/heads/$BRANCH"
times`

/** Runs the Git command line, and returns its CPU time per job in ms. */
export function runGitJobs(input: { project: BenchProject; count: number; workDir: string; name: string }): number {
  const { project, count, workDir, name } = input
  const mirror = join(workDir, `mirror-${project.files}-${name}`)
  createCliMirror(mirror, project.remote)
  const times = Array.from({ length: count }, (_, job) => {
    project.origin.moveOn()
    const work = join(workDir, `work-${project.files}-${name}-${job}`)
    const page = project.origin.paths[(job * 131) % project.files] ?? ''
    const env = { ...process.env, MIRROR: mirror, WORK: work, PAGE: page, BRANCH: `git/${name}-${job}` }
    const run = spawnSync('bash', ['-c', `set -e\n${SCRIPT}`], { encoding: 'utf8', env })
    if (run.status !== 0) throw new Error(`git failed: ${run.stderr}`)
    const removed = spawnSync('git', ['-C', mirror, 'worktree', 'remove', '--force', work])
    if (removed.status !== 0) throw new Error(`git failed: ${removed.stderr}`)
    return [...run.stdout.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + Number(m) * 60 + Number(s), 0)
  })
  return (times.reduce((sum, one) => sum + one, 0) * 1000) / count
}
