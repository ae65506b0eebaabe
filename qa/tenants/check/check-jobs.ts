import type { AgentJob } from '@corrigenda/contracts'
import type { AcmeProject } from '../acme/acme.ts'
import { listJobs } from '../acme/read-state.ts'
import { waitForEnd } from '../acme/work-job.ts'

/**
 * Waits until all jobs of the tenant have ended, and compares them with the expected ones: no job is
 * missing, no other job exists, and each has the expected end.
 */
export async function checkJobs(project: AcmeProject): Promise<string[]> {
  const found: string[] = []
  for (const { id } of project.jobs.values()) await waitForEnd(project, id)
  const listed = new Map((await listJobs(project)).map((job) => [job.id, job]))
  for (const { id, word, status, outcome, title } of project.jobs.values()) {
    const job: AgentJob | undefined = listed.get(id)
    const say = (what: string) => found.push(`${project.name}: ${id} (${word}) ${what}`)
    if (!job) {
      say('is not listed')
      continue
    }
    if (job.status !== status || job.outcome !== outcome) {
      say(`is ${job.status}/${job.outcome}, not ${status}/${outcome}: ${JSON.stringify(job.failure)}`)
    }
    if (outcome !== 'cancelled' && title !== null && job.title !== title) say(`has the title ${job.title}`)
    if (title !== null && !job.summary?.includes(word)) say(`has the summary ${job.summary}`)
  }
  for (const id of listed.keys()) {
    if (!project.jobs.has(id)) found.push(`${project.name}: ${id} was not created by the tenant`)
  }
  return found
}
