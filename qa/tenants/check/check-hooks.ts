import { createHmac } from 'node:crypto'
import type { AcmeProject } from '../acme/acme.ts'
import type { Received } from '../stack/open-receiver.ts'

/**
 * Checks what the tenant's receiver got: only requests to its own hooks, signed with their secrets,
 * about its own jobs, and one event for the start and for the end of each of its jobs.
 */
export function checkHooks(projects: readonly AcmeProject[], received: readonly Received[]): string[] {
  const found: string[] = []
  const webhooks = new Map(
    projects.flatMap((project) => project.webhooks.map((hook) => [hook.path, { project, hook }])),
  )
  const seen = new Map<string, Set<string>>()
  for (const request of received) {
    const say = (what: string) => found.push(`POST ${request.path} of the receiver ${what}`)
    const body = toBody(request.body)
    if (request.path === '/deploy') {
      if (!projects.some(({ id }) => id === body.projectId)) say(`is about another project: ${request.body}`)
      continue
    }
    const target = webhooks.get(request.path)
    if (!target) {
      say('is not expected')
      continue
    }
    if (!target.hook.secrets.some((secret) => isSigned(request, secret))) say('has no valid signature')
    const { job, webhook } = body.data ?? {}
    if (job !== undefined) seen.set(job.id, (seen.get(job.id) ?? new Set()).add(String(body.type)))
    if (webhook !== undefined && webhook.id !== target.hook.id) say(`is about ${webhook.id}`)
  }
  for (const project of projects) {
    for (const { id, word } of project.jobs.values()) {
      const types = seen.get(id) ?? new Set()
      const ended = types.has('job.completed') || types.has('job.failed')
      if (!types.has('job.created') || !ended)
        found.push(`${id} (${word}): only ${[...types].join(', ')} were delivered`)
      seen.delete(id)
    }
  }
  return found
}

interface HookBody {
  readonly type?: string
  readonly projectId?: string
  readonly data?: { readonly job?: { readonly id: string }; readonly webhook?: { readonly id: string } }
}

function toBody(text: string): HookBody {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** Verifies a signature as defined by Standard Webhooks. */
export function isSigned({ headers, body }: Pick<Received, 'headers' | 'body'>, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(expected)
}
