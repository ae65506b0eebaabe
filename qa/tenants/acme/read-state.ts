import type { AgentJob } from '@corrigenda/contracts'
import type { Answer } from '../stack/send.ts'
import { type AcmeProject, askAsOwner, askWithKey, toAgentPath, toDashboardPath, toHooksPath } from './acme.ts'
import { readJob } from './work-job.ts'

/** Responses by path. */
export type State = Readonly<Record<string, unknown>>

/** Reads what only the tenant's own requests change. */
export async function readState(project: AcmeProject): Promise<State> {
  const dashboard = toDashboardPath(project)
  const [settings, members, keys, hooks, me] = await Promise.all([
    askAsOwner(project, { path: `${dashboard}/settings` }),
    askAsOwner(project, { path: `${dashboard}/members` }),
    askAsOwner(project, { path: `${dashboard}/keys` }),
    askWithKey(project, { path: toHooksPath(project) }),
    askWithKey(project, { path: '/v1/me' }),
  ])
  return toPlain({ settings, members, keys, hooks, me })
}

/** Reads all jobs of the project, newest first, in pages. */
export async function listJobs(project: AcmeProject): Promise<AgentJob[]> {
  const jobs: AgentJob[] = []
  let cursor: string | null = null
  do {
    const next = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { status, json, text } = await askWithKey(project, { path: `${toAgentPath(project)}/jobs?limit=20${next}` })
    if (status !== 200) throw new Error(`The list of jobs could not be read: ${status} ${text}`)
    const page = json as { jobs: AgentJob[]; nextCursor: string | null }
    jobs.push(...page.jobs)
    cursor = page.nextCursor
  } while (cursor !== null)
  return jobs
}

/** Reads everything that the API returns about a project without activity. */
export async function readEverything(project: AcmeProject): Promise<State> {
  const dashboard = toDashboardPath(project)
  const jobs = await listJobs(project)
  const [shown, deployments, progress, ...deliveries] = await Promise.all([
    askAsOwner(project, { path: `${dashboard}/jobs?limit=100` }),
    askWithKey(project, { path: `/v1/project/${project.id}/updates?limit=100` }),
    askAsOwner(project, { path: `${dashboard}/welcome` }),
    ...project.webhooks.map(({ id }) =>
      askWithKey(project, { path: `${toHooksPath(project)}/${id}/deliveries?limit=100` }),
    ),
  ])
  const details: Record<string, unknown> = {}
  for (const { id } of jobs) details[id] = toPlain(await readJob(project, id))
  return {
    ...(await readState(project)),
    ...toPlain({ shown, deployments, progress }),
    jobs,
    deliveries: deliveries.map(toFacts),
    details,
  }
}

/** These fields change with the tenant's own requests and jobs. */
const OWN = new Set(['lastUsedAt', 'limits', 'monthlySpend'])

const toFacts = ({ status, json, text }: Answer) => ({ status, body: dropOwn(json ?? text) })

const toPlain = (answers: Readonly<Record<string, unknown>>): State =>
  Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, toFacts(answer as Answer)]))

function dropOwn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropOwn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => (OWN.has(name) ? [] : [[name, dropOwn(item)] as const])),
  )
}
