import { buildJobPlan } from '../../chaos/plan/job-plan.ts'
import { buildRandom } from '../../chaos/plan/random.ts'
import type { Project } from '../../chaos/stack/create-projects.ts'
import type { Stack } from '../../chaos/stack/open-stack.ts'

export interface Traffic {
  /** Finishes the jobs in progress. */
  stop(): Promise<TrafficResult>
}

export interface TrafficResult {
  readonly jobs: number
  readonly requests: number
  /** Longest response time in ms. */
  readonly longestMs: number
  readonly failures: readonly string[]
}

const POLL_MS = 100
/** Time after which a job counts as stuck, in ms. */
const PATIENCE_MS = 120_000

/** Creates jobs in each project, one after the other, and polls and lists them. Repeats no request. */
export function startTraffic(stack: Stack, projects: readonly Project[]): Traffic {
  const failures: string[] = []
  let [stopped, jobs, requests, longestMs] = [false, 0, 0, 0]
  const send = async (project: Project, route: string, body?: unknown): Promise<unknown> => {
    const start = performance.now()
    const response = await fetch(`${stack.url}/v2/agent/${project.id}${route}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${project.key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    requests += 1
    longestMs = Math.max(longestMs, performance.now() - start)
    if (!response.ok) throw new Error(`${route}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
  const work = async (project: Project, index: number) => {
    for (let n = 0; !stopped; n += 1) {
      const name = `traffic-${index}-${n}`
      const input = { project: index, pages: stack.pages, turns: { min: 1, max: 2 }, delayMs: { min: 0, max: 20 } }
      const { prompt } = buildJobPlan(buildRandom(name), { name, ...input })
      const { id } = (await send(project, '/job', { prompt })) as { id: string }
      const deadline = Date.now() + PATIENCE_MS
      for (;;) {
        const job = (await send(project, `/job/${id}`)) as { status: string; outcome: string | null }
        if (job.status !== 'active') {
          if (job.outcome !== 'changed') failures.push(`${id} ended as ${job.outcome}`)
          break
        }
        if (Date.now() > deadline) throw new Error(`${id} did not end in time.`)
        await send(project, '/jobs?status=failed')
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      }
      jobs += 1
    }
  }
  const working = projects.map((project, index) => work(project, index).catch((error) => failures.push(String(error))))
  return {
    async stop() {
      stopped = true
      await Promise.all(working)
      return { jobs, requests, longestMs, failures }
    },
  }
}
