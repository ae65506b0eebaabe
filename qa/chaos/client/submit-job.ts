import { AgentJob } from '@corrigenda/contracts'
import type { JobPlan } from '../plan/job-plan.ts'
import type { Project } from '../stack/create-projects.ts'
import type { Stack } from '../stack/open-stack.ts'
import { askUntilAnswered } from './ask-api.ts'

/** A job that the API has accepted. */
export interface AcceptedJob {
  readonly id: string
  readonly plan: JobPlan
  readonly project: Project
}

/**
 * Sends the create request until it is accepted, with the same Idempotency-Key each time. Creates
 * exactly one job.
 */
export async function submitJob(stack: Stack, plan: JobPlan): Promise<AcceptedJob> {
  const project = getProject(stack, plan)
  const request = { method: 'POST', route: '/job', body: { prompt: plan.prompt }, idempotencyKey: plan.name } as const
  const response = await askUntilAnswered(stack, project, request)
  if (response.status !== 201) throw new Error(`${plan.name} was rejected: ${response.status} ${response.code}`)
  const { id } = AgentJob.parse(response.body)
  stack.history.add({ kind: 'accepted', job: id, name: plan.name, tries: response.tries })
  return { id, plan, project }
}

export function getProject(stack: Stack, plan: JobPlan): Project {
  const project = stack.projects[plan.project]
  if (!project) throw new Error(`Project ${plan.project} does not exist.`)
  return project
}

/**
 * Requests the cancellation until the response is final: 200 means cancelled, 409 means that the
 * job ended in another way.
 */
export async function cancelJob(stack: Stack, job: AcceptedJob): Promise<number> {
  const { status, code } = await askUntilAnswered(stack, job.project, {
    method: 'POST',
    route: `/job/${job.id}/cancel`,
  })
  stack.history.add({ kind: 'cancel', job: job.id, status, code })
  return status
}
