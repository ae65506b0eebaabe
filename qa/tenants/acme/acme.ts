import type { Account } from '../stack/open-account.ts'
import type { Stack, StackProject } from '../stack/open-stack.ts'
import type { Answer, Ask } from '../stack/send.ts'

/** Address of the tenant's requests. */
export const ACME_ADDRESS = '127.0.0.2'

/** What must result from a job. */
export interface ExpectedJob {
  readonly id: string
  readonly word: string
  readonly status: string
  readonly outcome: string
  /** Files of the pull request with their text. Null: the job opens no pull request. */
  readonly files: ReadonlyMap<string, string> | null
  readonly title: string | null
}

/** A webhook of the tenant and every secret that it has had. */
export interface AcmeWebhook {
  readonly id: string
  readonly path: string
  readonly secrets: string[]
}

/** One project of the tenant that the other tenant must not affect. */
export interface AcmeProject extends StackProject {
  readonly stack: Stack
  readonly owner: Account
  readonly member: Account
  /** A key with all scopes. */
  readonly key: string
  readonly webhooks: AcmeWebhook[]
  /** Jobs that exist and have ended, by id. */
  readonly jobs: Map<string, ExpectedJob>
}

/** Sends a request with the project's key. */
export const askWithKey = (project: AcmeProject, ask: Omit<Ask, 'from'>): Promise<Answer> =>
  project.stack.send({ key: project.key, ...ask, from: ACME_ADDRESS })

/** Sends a request as the project's owner. */
export const askAsOwner = (project: AcmeProject, ask: Omit<Ask, 'from'>): Promise<Answer> =>
  project.stack.send({ cookie: project.owner.cookie, ...ask, from: ACME_ADDRESS })

export const toAgentPath = ({ id }: AcmeProject): string => `/v2/agent/${id}`
export const toDashboardPath = ({ id }: AcmeProject): string => `/dashboard/api/projects/${id}`
export const toHooksPath = ({ id }: AcmeProject): string => `/v1/project/${id}/webhooks`

/**
 * Repeats a request until the response fits.
 * @throws Error after four minutes
 */
export async function askUntil(send: () => Promise<Answer>, isDone: (answer: Answer) => boolean): Promise<Answer> {
  const deadline = Date.now() + 240_000
  for (;;) {
    const answer = await send()
    if (isDone(answer)) return answer
    if (Date.now() > deadline) throw new Error(`The last response after four minutes: ${answer.status} ${answer.text}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
