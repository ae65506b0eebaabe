import type { KeyScope, Role } from '@corrigenda/contracts'
import { findRole, type Person, toScopes } from '@corrigenda/core/accounts'
import { AppError } from '@corrigenda/core/base'
import { findKey, type Principal } from '@corrigenda/core/keys'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiDeps } from '../http/deps.ts'
import { EdgeLimitError } from '../http/limit-edge.ts'
import { assertSameSite } from './assert-same-site.ts'
import type { People } from './people.ts'

/** Who is calling, for one project: a key, or a person in a browser. */
export type Caller = KeyCaller | PersonCaller

interface KeyCaller extends Principal {
  readonly kind: 'key'
}

interface PersonCaller {
  readonly kind: 'person'
  readonly person: Person
  readonly role: Role
  readonly projectId: string
  readonly scopes: readonly KeyScope[]
}

/** Answers the caller, or throws. Whatever is wrong with a key, the 401 is the same. */
export interface Authenticate {
  /** A key and nothing else: for what is about keys, or has no project to look a role up in. */
  key(request: FastifyRequest): Promise<Principal>
  /**
   * A key, or a session where there is no Authorization header.
   * @param findProjectId the project that a person's role counts in; null: there is none, which is a 404
   * @throws AppError `unauthorized`, `not_found`, `cross_site_request`
   */
  caller(
    request: FastifyRequest,
    reply: FastifyReply,
    findProjectId: () => string | null | Promise<string | null>,
  ): Promise<Caller>
  /** The caller that was found for this request before. */
  getCaller(request: FastifyRequest): Caller
}

/** Id of who is calling, as it is kept with what they make. */
export const toCreator = (caller: Caller): string => (caller.kind === 'key' ? caller.keyId : caller.person.userId)

const unauthorized = () =>
  new AppError(
    'unauthorized',
    'A valid API key is required. Send it as "Authorization: Bearer cgd_…"; make keys with "corrigenda key create".',
  )

/**
 * Builds the check of keys and sessions. Failures are counted per address and slowed down beyond a limit; a valid key from the same address is never
 * slowed by them.
 */
export function buildAuthenticate(app: FastifyInstance, deps: ApiDeps, people: People): Authenticate {
  const countFailure = app.createRateLimit({ max: deps.failedAuthRateLimit, timeWindow: 60_000 })
  const callers = new WeakMap<FastifyRequest, Caller>()

  const key = async (request: FastifyRequest): Promise<Principal> => {
    const [, presented] = /^Bearer +([A-Za-z0-9_]{1,200}) *$/i.exec(request.headers.authorization ?? '') ?? []
    const principal = presented === undefined ? null : await findKey(deps, presented)
    if (principal) return principal
    const failures = await countFailure(request)
    if (!failures.isAllowed && failures.isExceeded) throw new EdgeLimitError(failures.ttlInSeconds)
    throw unauthorized()
  }

  const ofPerson = async (person: Person, projectId: string | null): Promise<PersonCaller> => {
    const { userId, isOperator } = person
    const role = projectId === null ? null : await findRole(deps, { userId, isOperator, projectId })
    if (projectId === null || role === null) throw new AppError('not_found', 'Not found.')
    return { kind: 'person', person, role, projectId, scopes: toScopes(role) }
  }

  return {
    key,
    async caller(request, reply, findProjectId) {
      // What is for one caller is kept nowhere in between; routes that let the caller keep it say so.
      reply.header('cache-control', 'no-store')
      const person = await people.findPerson({ request, reply })
      if (person) assertSameSite(request, deps.publicUrl)
      const caller: Caller = person
        ? await ofPerson(person, await findProjectId())
        : { kind: 'key', ...(await key(request)) }
      callers.set(request, caller)
      return caller
    },
    getCaller(request) {
      const caller = callers.get(request)
      if (caller === undefined) throw new Error('The route does not ask who is calling.')
      return caller
    },
  }
}
