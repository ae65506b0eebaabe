import {
  askServer,
  type CompatCheck,
  type CompatInput,
  createJob,
  expectAnswer,
  Mismatch,
  Skipped,
} from './ask-server.ts'
import { JOB_CHECKS } from './check-jobs.ts'
import { SESSION_CHECKS } from './check-sessions.ts'
import { HostedError, HostedPreview, HostedUpdate, HostedUpdateStatus } from './wire.ts'

/** Branch of the preview. It only needs to exist for the preview to succeed, which is not checked. */
const BRANCH = 'main'

/** Checks for deployments and previews. */
const DEPLOYMENT_CHECKS: readonly CompatCheck[] = [
  {
    name: 'an update returns 202 and a readable status ID; an unknown ID returns 404',
    async run(input) {
      const unknown = await askServer(input, { method: 'GET', path: '/v1/project/update-status/no-such-update' })
      expectAnswer(unknown, 404, HostedError)
      const response = await askServer(input, { method: 'POST', path: `/v1/project/update/${input.projectId}` })
      if (response.status === 409 || response.status === 403) {
        throw new Skipped(`the server rejects deployments of this project with this key (${response.status})`)
      }
      await expectStatus(input, expectAnswer(response, 202, HostedUpdate).statusId)
    },
  },
  {
    name: 'a preview returns 202, its URL and a readable status ID; a missing branch returns 400',
    async run(input) {
      const path = `/v1/project/preview/${input.projectId}`
      const response = await askServer(input, { method: 'POST', path, body: { branch: BRANCH } })
      if (response.status === 409 || response.status === 403) {
        throw new Skipped(`the server rejects previews of this project with this key (${response.status})`)
      }
      await expectStatus(input, expectAnswer(response, 202, HostedPreview).statusId)
      expectAnswer(await askServer(input, { method: 'POST', path, body: {} }), 400, HostedError)
    },
  },
]

/** Number of jobs that the hosted API accepts per project per hour. */
const HOURLY = 100

/** Checks for the client-observable part of the hosted API's public contract, in execution order. */
export const COMPAT_CHECKS: readonly CompatCheck[] = [
  ...JOB_CHECKS,
  ...SESSION_CHECKS,
  ...DEPLOYMENT_CHECKS,
  {
    name: `creating more than ${HOURLY} jobs in an hour returns 429 and an error`,
    async run(input) {
      if (!input.exhaustQuota) throw new Skipped("exhausts the project's job limit; enable it with --exhaust-quota")
      for (let n = 0; n <= HOURLY; n += 1) {
        const response = await createJob(input, { prompt: input.prompt })
        if (response.status === 201) continue
        expectAnswer(response, 429, HostedError)
        return
      }
      throw new Mismatch(`accepted ${HOURLY + 1} jobs within one hour`)
    },
  },
]

export interface CompatResult {
  readonly name: string
  readonly state: 'passed' | 'failed' | 'skipped'
  /** The deviation, or the reason for skipping the check; null if it passed. */
  readonly reason: string | null
}

/**
 * Checks any server against the hosted API's public contract, over HTTP only. Creates jobs.
 * Failures are returned as results and never thrown.
 * @param report called after each check
 */
export async function runCompat(
  input: CompatInput,
  report: (result: CompatResult) => void = () => {},
): Promise<CompatResult[]> {
  const results: CompatResult[] = []
  for (const { name, run } of COMPAT_CHECKS) {
    const result: CompatResult = await run(input).then(
      () => ({ name, state: 'passed', reason: null }),
      (error: unknown) => ({ name, state: error instanceof Skipped ? 'skipped' : 'failed', reason: toReason(error) }),
    )
    results.push(result)
    report(result)
  }
  return results
}

function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message
}

async function expectStatus(input: CompatInput, statusId: string): Promise<void> {
  const response = await askServer(input, { method: 'GET', path: `/v1/project/update-status/${statusId}` })
  const update = expectAnswer(response, 200, HostedUpdateStatus)
  if (update._id !== statusId) throw new Mismatch(`the response for update ${statusId} contains update ${update._id}`)
}
