import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '@corrigenda/core/base'
import { findWebhookSecret, SealedCredentialError } from '@corrigenda/core/credentials'
import { type HostEvent, wakePullRequests } from '@corrigenda/core/pull-requests'
import { hideInLog } from '@corrigenda/core/runtime'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { ApiDeps } from '../../http/deps.ts'

const CACHE_MS = 5_000

/**
 * GitHub sends payloads of up to 25 MB. Those that exceed this limit are rejected, and polling
 * detects the change later.
 */
const BODY_LIMIT = 5 * 1_048_576

const Sha = z.string().regex(/^[0-9a-f]{40,64}$/)
/** Range of the database column. A larger value is not a pull request number. */
const Numbered = z.object({ number: z.int32().positive() })
const Pulls = z.array(Numbered).max(100).catch([])
/** Branch names contain no control characters, and Postgres rejects NUL. */
const Ref = z
  .string()
  .max(1000)
  .regex(/^[^\p{Cc}]*$/u)

/**
 * The fields that are read from an event. All other fields are dropped. Every field except
 * `repository` is optional, because events differ. No value is trusted.
 */
const Payload = z.object({
  repository: z.object({
    html_url: z
      .url()
      .max(1000)
      .regex(/^[^\p{Cc}]*$/u),
  }),
  pull_request: Numbered.optional().catch(undefined),
  /** In events about comments. A pull request is also an issue, with the same number. */
  issue: Numbered.optional().catch(undefined),
  check_run: z.object({ head_sha: Sha, pull_requests: Pulls }).optional().catch(undefined),
  check_suite: z
    .object({ head_sha: Sha, pull_requests: Pulls, head_branch: Ref.nullish().catch(null) })
    .optional()
    .catch(undefined),
  sha: Sha.optional().catch(undefined),
  ref: Ref.optional().catch(undefined),
  /**
   * Branches of a commit status. For another author's commit on the service's branch, only this
   * field identifies the branch.
   */
  branches: z
    .array(z.object({ name: Ref }))
    .max(100)
    .catch([]),
})

/**
 * Receives webhooks from GitHub, signed with `GITHUB_WEBHOOK_SECRET` or with the secret of the
 * instance's App, and from other Git hosts, with `GIT_WEBHOOK_SECRET`. An event only makes the workers poll the pull requests that it names and read
 * their actual state from the host. This makes duplicate, late, reordered and replayed events
 * harmless.
 */
export const githubWebhookRoutes: FastifyPluginAsync<{ deps: ApiDeps }> = async (app, { deps }) => {
  const listSecrets = buildListSecrets(deps)
  // The signature covers the raw bytes.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  const listOwnSecrets = async () => [deps.gitWebhookSecret].filter((secret) => secret !== null)
  for (const [url, list, isGenuine] of [
    ['/v1/github/webhook', listSecrets, isSigned],
    ['/v1/git/webhook', listOwnSecrets, isFromOtherHost],
  ] as const) {
    app.post(url, { bodyLimit: BODY_LIMIT, schema: { hide: true } }, async (request, reply) => {
      const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0)
      const secrets = await list()
      // No webhooks are configured, so the endpoint returns 404.
      if (secrets.length === 0) return reply.callNotFound()
      if (!secrets.some((secret) => isGenuine(request, body, secret))) {
        throw new AppError(
          'unauthorized',
          'The signature does not match. Set the same secret in this service and on the Git host.',
        )
      }
      const event = findEvent(body)
      const woken = event === null ? 0 : await wakePullRequests(deps, event)
      return reply.code(202).send({ woken })
    })
  }
}

/**
 * Returns true if the signature matches the body.
 * https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
 */
function isSigned(request: FastifyRequest, body: Buffer, secret: string): boolean {
  const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  return isEqual(request.headers['x-hub-signature-256'], expected)
}

/**
 * Returns true if the request contains the secret of a GitLab webhook, or a signature by a signing
 * token of GitLab (https://www.standardwebhooks.com), Forgejo or Gitea. A replayed event is harmless,
 * so its time is not checked.
 */
function isFromOtherHost({ headers }: FastifyRequest, body: Buffer, secret: string): boolean {
  const ofBody = createHmac('sha256', secret).update(body).digest('hex')
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret
  const head = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`
  const signature = `v1,${createHmac('sha256', key).update(head).update(body).digest('base64')}`
  return (
    isEqual(headers['x-gitlab-token'], secret) ||
    isEqual(headers['x-forgejo-signature'], ofBody) ||
    isEqual(headers['x-gitea-signature'], ofBody) ||
    String(headers['webhook-signature'] ?? '')
      .split(' ')
      .some((one) => isEqual(one, signature))
  )
}

function isEqual(given: string | string[] | undefined, expected: string): boolean {
  const [actual, wanted] = [Buffer.from(String(given ?? '')), Buffer.from(expected)]
  return actual.length === wanted.length && timingSafeEqual(actual, wanted)
}

/** Returns null for events that do not name a pull request, commit or branch, such as a ping. */
function findEvent(body: Buffer): HostEvent | null {
  let json: unknown
  try {
    json = JSON.parse(body.toString('utf8'))
  } catch {
    throw new AppError(
      'invalid_request',
      "The body is not valid JSON. Set the webhook's content type to application/json.",
    )
  }
  const parsed = Payload.safeParse(fromGitLab(json))
  if (!parsed.success) return null
  const {
    repository,
    pull_request: pull,
    issue,
    check_run: run,
    check_suite: suite,
    sha,
    ref,
    branches: named,
  } = parsed.data
  const numbers = [pull, issue, ...(run?.pull_requests ?? []), ...(suite?.pull_requests ?? [])].flatMap(
    (one) => one?.number ?? [],
  )
  const commits = [run?.head_sha, suite?.head_sha, sha].filter((one) => one !== undefined)
  const branches = [ref?.replace(/^refs\/heads\//, ''), suite?.head_branch, ...named.map(({ name }) => name)].filter(
    (one) => typeof one === 'string',
  )
  if (numbers.length + commits.length + branches.length === 0) return null
  return { repositoryUrl: repository.html_url, numbers, commits, branches }
}

/** An event of GitLab. Forgejo and Gitea send the fields of GitHub. */
const GitLabPayload = z.object({
  project: z.object({ web_url: z.string() }),
  object_kind: z.string(),
  object_attributes: z.object({ iid: z.unknown(), ref: z.unknown(), sha: z.unknown() }).partial().optional(),
  merge_request: z.object({ iid: z.unknown() }).nullish(),
  ref: z.unknown().optional(),
})

/** Names the fields of a GitLab event like those of GitHub. Returns all other events unchanged. */
function fromGitLab(json: unknown): unknown {
  const parsed = GitLabPayload.safeParse(json)
  if (!parsed.success) return json
  const { project, object_kind: kind, object_attributes: attributes, merge_request: request, ref } = parsed.data
  const number = kind === 'merge_request' ? attributes?.iid : request?.iid
  return {
    repository: { html_url: project.web_url },
    pull_request: { number },
    sha: attributes?.sha,
    ref: ref ?? attributes?.ref,
  }
}

/**
 * Returns the accepted webhook secrets: the configured one and the App's. A change takes effect
 * within 5 s.
 */
function buildListSecrets(deps: ApiDeps): () => Promise<readonly string[]> {
  let cached: { readonly at: number; readonly secret: Promise<string | null> } | null = null

  const find = async (): Promise<string | null> => {
    try {
      const secret = await deps.monitor.run(() => findWebhookSecret(deps))
      if (secret !== null) hideInLog(deps.log, secret)
      return secret
    } catch (error) {
      if (!(error instanceof SealedCredentialError)) throw error
      deps.log.warn("the GitHub App's webhook secret cannot be decrypted; create the App again")
      return null
    }
  }

  return async () => {
    const now = performance.now()
    if (cached === null || now - cached.at >= CACHE_MS) {
      const secret = find()
      const entry = { at: now, secret }
      cached = entry
      secret.catch(() => {
        if (cached === entry) cached = null
      })
    }
    const ofApp = await cached.secret
    return [deps.githubWebhookSecret, ofApp].filter((secret) => secret !== null)
  }
}
