import type { Role } from '@corrigenda/contracts'
import { findRole, isAtLeast, type Person, refuseStaleSession } from '@corrigenda/core/accounts'
import { AppError } from '@corrigenda/core/base'
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { ApiDeps } from '../http/deps.ts'
import { roleMissing } from './access.ts'
import { assertSameSite } from './assert-same-site.ts'
import type { People } from './people.ts'

/** Hooks of the dashboard's own endpoints. They are for people alone: a key opens none of them. */
export interface Gate {
  /** Any page may be asked from, but what changes something must come from one of our own. */
  readonly sameSite: onRequestAsyncHookHandler
  /** Somebody is signed in. */
  readonly person: onRequestAsyncHookHandler
  /** An operator is; for everybody else there is nothing here. */
  readonly operator: onRequestAsyncHookHandler
  /** The same for what browsers go to by themselves: who is not signed in is led to the sign-in, and back from there. */
  readonly operatorPage: onRequestAsyncHookHandler
  /** After `person` or `operator`: they have signed in within the last minutes. */
  readonly fresh: onRequestAsyncHookHandler
  /** Below a project: somebody is signed in who is at least this there. Not a member: there is no such project. */
  role(needed: Role): onRequestAsyncHookHandler
  /** Who one of the hooks found. */
  getPerson(request: FastifyRequest): Person
  /** What `role` found. */
  getRole(request: FastifyRequest): Role
}

export function buildGate(deps: Pick<ApiDeps, 'prisma' | 'publicUrl'>, people: People): Gate {
  const persons = new WeakMap<FastifyRequest, Person>()
  const roles = new WeakMap<FastifyRequest, Role>()

  const enter = async (request: FastifyRequest, reply: FastifyReply): Promise<Person> => {
    reply.header('cache-control', 'no-store')
    const person = await people.findPerson({ request, reply })
    if (!person) throw new AppError('sign_in_required', 'Nobody is signed in here. Sign in first.')
    assertSameSite(request, deps.publicUrl)
    persons.set(request, person)
    return person
  }

  const operator = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { isOperator } = await enter(request, reply)
    if (!isOperator) throw new AppError('not_found', 'Not found.')
  }

  return {
    async sameSite(request, reply) {
      reply.header('cache-control', 'no-store')
      assertSameSite(request, deps.publicUrl)
    },
    async person(request, reply) {
      await enter(request, reply)
    },
    operator,
    async operatorPage(request, reply) {
      try {
        await operator(request, reply)
      } catch (error) {
        const isSignedOut = error instanceof AppError && error.code === 'sign_in_required'
        if (!isSignedOut || !isNavigation(request)) throw error
        return reply.redirect(`/sign-in?next=${encodeURIComponent(request.url)}`, 303)
      }
    },
    async fresh(request) {
      refuseStaleSession(get(persons, request))
    },
    role: (needed) => async (request, reply) => {
      const { userId, isOperator } = await enter(request, reply)
      const { projectId = '' } = request.params as { projectId?: string }
      const role = await findRole(deps, { userId, isOperator, projectId })
      if (role === null) throw new AppError('not_found', 'Not found.')
      if (!isAtLeast(role, needed)) throw roleMissing()
      roles.set(request, role)
    },
    getPerson: (request) => get(persons, request),
    getRole: (request) => get(roles, request),
  }
}

/** A browser shows the answer to somebody, rather than a script of ours reading it. */
function isNavigation({ method, headers }: FastifyRequest): boolean {
  if (method !== 'GET') return false
  const mode = headers['sec-fetch-mode']
  return mode === undefined ? (headers.accept ?? '').includes('text/html') : mode === 'navigate'
}

function get<T>(map: WeakMap<FastifyRequest, T>, request: FastifyRequest): T {
  const value = map.get(request)
  if (value === undefined) throw new Error('The route does not ask who is signed in.')
  return value
}
