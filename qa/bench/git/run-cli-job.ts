import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JobPlan, JobStats } from './job-plan.ts'

/**
 * Uses one work tree per job on a persistent bare mirror, like a worker built on the Git command
 * line.
 */
const withWorktree = `
git -C "$MIRROR" fetch --quiet --depth 1 origin +refs/heads/main:refs/heads/main
git -C "$MIRROR" worktree add --quiet --detach "$WORK" refs/heads/main
cd "$WORK"
git ls-files > "$WORK.list"
xargs cat < "$READS" > /dev/null
HITS=$(git grep -lF -e "$NEEDLE" | wc -l)
while read -r path; do printf '%s' "$TEXT" >> "$path"; done < "$EDITS"
mkdir -p "$(dirname "$CREATES")"
printf '%s' "$TEXT" > "$CREATES"
xargs git add -- "$CREATES" < "$EDITS"
git commit --quiet -m Edit
git push --quiet origin "HEAD:refs/heads/$BRANCH"
echo "hits $HITS"
times`

/**
 * Runs the same job without a work tree on disk, which is the fastest approach with the Git command
 * line.
 */
const withPlumbing = `
export GIT_DIR="$MIRROR" GIT_INDEX_FILE="$WORK.index"
git fetch --quiet --depth 1 origin +refs/heads/main:refs/heads/main
git ls-tree -r --name-only refs/heads/main > "$WORK.list"
sed 's,^,refs/heads/main:,' "$READS" | git cat-file --batch > /dev/null
HITS=$(git grep -lF -e "$NEEDLE" refs/heads/main | wc -l)
git read-tree refs/heads/main
while read -r path; do
  id=$( { git cat-file blob "refs/heads/main:$path"; printf '%s' "$TEXT"; } | git hash-object -w --stdin )
  printf '100644 %s\\t%s\\n' "$id" "$path"
done < "$EDITS" > "$WORK.edits"
printf '100644 %s\\t%s\\n' "$(printf '%s' "$TEXT" | git hash-object -w --stdin)" "$CREATES" >> "$WORK.edits"
git update-index --add --index-info < "$WORK.edits"
COMMIT=$(git commit-tree -p refs/heads/main -m Edit "$(git write-tree)")
git push --quiet origin "$COMMIT:refs/heads/$BRANCH"
echo "hits $HITS"
times`

export type CliKind = 'worktree' | 'plumbing'

export function createCliMirror(dir: string, url: string): void {
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

/**
 * Runs one job in a shell. The CPU time is the value reported by the shell's `times` command and
 * excludes the cleanup.
 */
export function runCliJob(kind: CliKind, mirror: string, work: string, plan: JobPlan): JobStats {
  writeFileSync(`${work}.reads`, plan.reads.join('\n'))
  writeFileSync(`${work}.edits-of`, `${plan.edits.join('\n')}\n`)
  const variables = {
    MIRROR: mirror,
    WORK: work,
    READS: `${work}.reads`,
    EDITS: `${work}.edits-of`,
    NEEDLE: plan.needle,
    CREATES: plan.creates,
    TEXT: plan.text,
    BRANCH: plan.branch,
  }
  const assignments = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  const script = `set -e\n${kind === 'worktree' ? withWorktree : withPlumbing}`
  const startedAt = performance.now()
  const run = spawnSync('env', [...assignments, 'bash', '-c', script], { encoding: 'utf8' })
  const wallMs = performance.now() - startedAt
  if (run.status !== 0) throw new Error(`git failed: ${run.stderr}`)
  if (kind === 'worktree') execFileSync('git', ['-C', mirror, 'worktree', 'remove', '--force', work])
  const seconds = [...run.stdout.matchAll(/(\d+)m([\d.]+)s/g)].map((match) => Number(match[1]) * 60 + Number(match[2]))
  const hits = Number(/hits (\d+)/.exec(run.stdout)?.[1] ?? 0)
  return { wallMs, cpuMs: seconds.reduce((sum, one) => sum + one, 0) * 1000, hits, phases: {} }
}

export function toWorkPath(root: string, job: number): string {
  return join(root, `work-${job}`)
}
