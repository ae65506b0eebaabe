import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createCliMirror } from '../git/run-cli-job.ts'
import type { BenchProject } from './open-bench-stack.ts'

/** Asynchronous, because this process also relays the database connections of the services. */
const run = promisify(execFile)

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
export async function runGitJobs(input: {
  project: BenchProject
  count: number
  workDir: string
  name: string
}): Promise<number> {
  const { project, count, workDir, name } = input
  const mirror = join(workDir, `mirror-${project.files}-${name}`)
  createCliMirror(mirror, project.remote)
  let seconds = 0
  for (let job = 0; job < count; job += 1) {
    project.origin.moveOn()
    const work = join(workDir, `work-${project.files}-${name}-${job}`)
    const page = project.origin.paths[(job * 131) % project.files] ?? ''
    const env = { ...process.env, MIRROR: mirror, WORK: work, PAGE: page, BRANCH: `git/${name}-${job}` }
    const { stdout } = await run('bash', ['-c', `set -e\n${SCRIPT}`], { env })
    await run('git', ['-C', mirror, 'worktree', 'remove', '--force', work])
    for (const [, minutes, rest] of stdout.matchAll(/(\d+)m([\d.]+)s/g)) seconds += Number(minutes) * 60 + Number(rest)
  }
  return (seconds * 1000) / count
}
