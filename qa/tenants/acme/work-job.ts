import { AgentJob } from '@corrigenda/contracts'
import type { Answer } from '../stack/send.ts'
import { type AcmeProject, askAsOwner, askUntil, askWithKey, toAgentPath, toDashboardPath } from './acme.ts'

export type Answers = Record<string, unknown>

/** Creates a job with the project's key. */
export const createJob = (
  project: AcmeProject,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => askWithKey(project, { method: 'POST', path: `${toAgentPath(project)}/job`, body, headers })

export const toId = (answer: Answer): string => String((answer.json as { id?: unknown } | null)?.id)

/** Waits until a job has ended, as a client does. */
export const waitForEnd = (project: AcmeProject, id: string): Promise<Answer> =>
  askUntil(
    () => askWithKey(project, { path: `${toAgentPath(project)}/job/${id}` }),
    ({ status, json }) => status !== 200 || (json as AgentJob).status !== 'active',
  )

/** Reads everything that the API returns about a job. */
export async function readJob(project: AcmeProject, id: string): Promise<Answers> {
  const job = `${toAgentPath(project)}/job/${id}`
  const dashboard = `${toDashboardPath(project)}/jobs/${id}`
  const [record, events, changes, patch, shown, transcript] = await Promise.all([
    askWithKey(project, { path: job }),
    askWithKey(project, { path: `${job}/events?limit=1000` }),
    askWithKey(project, { path: `${job}/changes` }),
    askWithKey(project, { path: `${job}/changes`, headers: { accept: 'text/x-diff' } }),
    askAsOwner(project, { path: dashboard }),
    askAsOwner(project, { path: `${dashboard}/transcript` }),
  ])
  return { record, events, changes, patch, shown, transcript }
}

/** Creates a job, waits until it has ended and reads it. */
export async function workJob(
  project: AcmeProject,
  body: object,
): Promise<{ id: string; job: AgentJob; answers: Answers }> {
  const created = await createJob(project, body)
  const id = toId(created)
  const ended = await waitForEnd(project, id)
  return { id, job: AgentJob.parse(ended.json), answers: { created, ...(await readJob(project, id)) } }
}
