import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '@corrigenda/core/base'
import { type HostEvent, wakePullRequests } from '@corrigenda/core/pull-requests'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { ApiDeps } from '../../http/deps.ts'

/** GitHub sends up to 25 MB; what is larger than this is refused, and the pull request is looked at a little later. */
const BODY_LIMIT = 5 * 1_048_576

const Sha = z.string().regex(/^[0-9a-f]{40,64}$/)
/** As the database keeps them; what is larger is no number of a pull request. */
const Numbered = z.object({ number: z.int32().positive() })
const Pulls = z.array(Numbered).max(100).catch([])
/** Control characters are in no name of a branch, and Postgres takes no NUL. */
const Ref = z
  .string()
  .max(1000)
  .regex(/^[^\p{Cc}]*$/u)

/** What is read of an event; the rest is dropped. Everything is optional: events differ, and none of it is believed. */
const Payload = z.object({
  repository: z.object({
    html_url: z
      .url()
      .max(1000)
      .regex(/^[^\p{Cc}]*$/u),
  }),
  pull_request: Numbered.optional().catch(undefined),
  check_run: z.object({ head_sha: Sha, pull_requests: Pulls }).optional().catch(undefined),
  check_suite: z
    .object({ head_sha: Sha, pull_requests: Pulls, head_branch: Ref.nullish().catch(null) })
    .optional()
    .catch(undefined),
  sha: Sha.optional().catch(undefined),
  ref: Ref.optional().catch(undefined),
  /** Of a commit status. The commit may be somebody else's on our branch, which is named by nothing else then. */
  branches: z
    .array(z.object({ name: Ref }))
    .max(100)
    .catch([]),
})

/**
 * Receives webhooks of the Git host, signed with `GITHUB_WEBHOOK_SECRET` or with the secret of the instance's App. An event only makes the workers look at the pull requests it names: what has
 * happened, the host is asked. So it does no harm when it comes twice, late, out of order, or again after a year.
 */
export const githubWebhookRoutes: FastifyPluginAsync<{
  deps: ApiDeps
  /** Whoever signs with one of these is believed to be the Git host. */
  listSecrets: () => Promise<readonly string[]>
}> = async (app, { deps, listSecrets }) => {
  // The signature is over the bytes as they were sent.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.post('/v1/github/webhook', { bodyLimit: BODY_LIMIT, schema: { hide: true } }, async (request, reply) => {
    const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0)
    const secrets = await listSecrets()
    // Nobody is expected to call: there is nothing here.
    if (secrets.length === 0) return reply.callNotFound()
    if (!secrets.some((secret) => isSigned(request, body, secret))) {
      throw new AppError('unauthorized', 'The signature does not fit. Set the same secret here and at the Git host.')
    }
    const event = findEvent(body)
    const woken = event === null ? 0 : await wakePullRequests(deps, event)
    return reply.code(202).send({ woken })
  })
}

/** https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries */
function isSigned(request: FastifyRequest, body: Buffer, secret: string): boolean {
  const given = request.headers['x-hub-signature-256']
  if (typeof given !== 'string') return false
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  const sent = Buffer.from(given)
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}

/** Null for what concerns no pull request, such as a ping. */
function findEvent(body: Buffer): HostEvent | null {
  let json: unknown
  try {
    json = JSON.parse(body.toString('utf8'))
  } catch {
    throw new AppError(
      'invalid_request',
      'The body is not JSON. Choose application/json as content type of the webhook.',
    )
  }
  const parsed = Payload.safeParse(json)
  if (!parsed.success) return null
  const { repository, pull_request: pull, check_run: run, check_suite: suite, sha, ref, branches: named } = parsed.data
  const numbers = [pull, ...(run?.pull_requests ?? []), ...(suite?.pull_requests ?? [])].flatMap(
    (one) => one?.number ?? [],
  )
  const commits = [run?.head_sha, suite?.head_sha, sha].filter((one) => one !== undefined)
  const branches = [ref?.replace(/^refs\/heads\//, ''), suite?.head_branch, ...named.map(({ name }) => name)].filter(
    (one) => typeof one === 'string',
  )
  if (numbers.length + commits.length + branches.length === 0) return null
  return { repositoryUrl: repository.html_url, numbers, commits, branches }
}
