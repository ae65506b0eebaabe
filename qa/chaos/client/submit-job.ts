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
 * Repeats the create request with the same Idempotency-Key until it is accepted, so that exactly
 * one job is created.
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

function getProject(stack: Stack, plan: JobPlan): Project {
  const project = stack.projects[plan.project]
  if (!project) throw new Error(`Project ${plan.project} does not exist.`)
  return project
}

/**
 * Repeats the cancel request until the response is final. 200 means that the job was cancelled, and
 * 409 that it had already ended.
 */
export async function cancelJob(stack: Stack, job: AcceptedJob): Promise<number> {
  const { status, code } = await askUntilAnswered(stack, job.project, {
    method: 'POST',
    route: `/job/${job.id}/cancel`,
  })
  stack.history.add({ kind: 'cancel', job: job.id, status, code })
  return status
}
