import { createHash } from 'node:crypto'
import type { GitHost, PullRequest } from '@corrigenda/testkit'
import type { AcceptedJob } from '../client/submit-job.ts'
import type { JobPlan } from '../plan/job-plan.ts'
import type { JobRow, Tables } from './read-tables.ts'

const NOTHING = '0'.repeat(40)

interface HostCheck {
  readonly violations: string[]
  readonly pullRequests: number
  /** Number of job branches without a pull request. They are harmless. */
  readonly strayBranches: number
}

/**
 * Checks that each job with changes has exactly one pull request with exactly its script's content,
 * that other jobs have no pull request, and that nothing was overwritten.
 */
export async function checkHost(input: {
  host: GitHost
  bases: ReadonlyMap<string, string>
  tables: Tables
  jobs: readonly AcceptedJob[]
}): Promise<HostCheck> {
  const { host, bases, tables, jobs } = input
  const violations: string[] = []
  let [pullRequests, strayBranches] = [0, 0]
  const stats = host.stats()
  for (const [head, count] of Object.entries(stats.duplicates)) violations.push(`${head} has ${count} pull requests`)
  for (const { repo, ref } of stats.forced) violations.push(`${repo}: ${ref} was overwritten`)
  for (const request of stats.unknown) violations.push(`the Git host does not support ${request}`)
  if (stats.unauthorized > 0)
    violations.push(`requests to the Git host without a valid credential: ${stats.unauthorized}`)
  for (const [repository, base] of bases) {
    const own = jobs.filter((job) => job.project.repository === repository)
    const pulls = host.pulls(repository)
    pullRequests += pulls.length
    for (const job of own) {
      const row = tables.jobs.find((one) => one.id === job.id)
      violations.push(...(await checkJob({ host, repository, base }, job, row, pulls)))
    }
    const ours = new Map(own.map((job) => [`corrigenda/${job.id}`, job]))
    for (const pull of pulls) {
      if (!ours.has(pull.headRef))
        violations.push(`${repository}#${pull.number}: does not belong to a job (branch ${pull.headRef})`)
    }
    const branches = (await host.git(repository, 'for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads')).split(
      '\n',
    )
    for (const branch of branches.filter((name) => name !== '' && name !== 'main')) {
      if (!ours.has(branch)) violations.push(`${repository}: unexpected branch ${branch}`)
      if (!pulls.some((pull) => pull.headRef === branch)) strayBranches += 1
    }
    const tip = (await host.git(repository, 'rev-parse', 'main')).trim()
    if (tip !== base) violations.push(`${repository}: its base branch was changed`)
    const updates = stats.refUpdates.filter((update) => update.repo === repository && update.via !== 'user')
    for (const [ref, count] of countCreations(updates)) {
      if (count > 1) violations.push(`${repository}: ${ref} was created ${count} times`)
    }
  }
  return { violations, pullRequests, strayBranches }
}

const countCreations = (updates: readonly { ref: string; old: string }[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const { ref, old } of updates) if (old === NOTHING) counts.set(ref, (counts.get(ref) ?? 0) + 1)
  return counts
}

async function checkJob(
  at: { host: GitHost; repository: string; base: string },
  { id, plan }: AcceptedJob,
  row: JobRow | undefined,
  all: readonly PullRequest[],
): Promise<string[]> {
  const pulls = all.filter((pull) => pull.headRef === `corrigenda/${id}`)
  const say = (what: string) => [`${plan.name} (${id}): ${what}`]
  if (row?.outcome !== 'changed') {
    return pulls.length === 0 ? [] : say(`its outcome is ${row?.outcome ?? 'not set'}, but it has a pull request`)
  }
  const [pull] = pulls
  if (!pull || pulls.length !== 1) return say(`completed with ${pulls.length} pull requests`)
  const found: string[] = []
  const link = `${at.host.repositoryUrl(at.repository)}/pull/${pull.number}`
  if (row.pr_link !== link) found.push(...say(`its prLink is ${row.pr_link}, not ${link}`))
  if (pull.baseRef !== 'main') found.push(...say(`its pull request targets ${pull.baseRef}`))
  // The pull request keeps its commit even if the branch is deleted or moved.
  const log = await at.host.git(
    at.repository,
    'log',
    '--raw',
    '--no-abbrev',
    '--no-renames',
    '--format=%H %P',
    '-1',
    pull.headSha,
  )
  if (!isTheChange(log, at.base, plan))
    found.push(...say('its pull request does not contain the changes from its script'))
  return found
}

/**
 * Returns true if the log shows one commit, on top of the base, that makes exactly the planned
 * changes.
 */
function isTheChange(log: string, base: string, plan: JobPlan): boolean {
  const [head = '', ...rest] = log.split('\n').filter(Boolean)
  if (head.split(' ').slice(1).join(' ') !== base) return false
  const changed = new Map(rest.map((line) => [line.split('\t')[1] ?? '', line.split(' ')[3] ?? '']))
  if (changed.size !== plan.files.size) return false
  return [...plan.files].every(([path, text]) => changed.get(path) === toBlobId(text))
}

function toBlobId(text: string): string {
  const bytes = Buffer.from(text)
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
}
