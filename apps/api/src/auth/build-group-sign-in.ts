import { applyGroupRights, type GroupRights, toGroupRights } from '@corrigenda/core/accounts'
import { APIError } from 'better-auth/api'
import type { ApiDeps } from '../http/deps.ts'

/** Maximum number of groups in a claim. */
const MAX_GROUPS = 5000
const MAX_NAME_LENGTH = 1000

/** A claim from which the groups of the user cannot be read. The message is for the log. */
class GroupsClaimError extends Error {}

/** The callback request of a sign-in. All hooks of the library that it triggers receive it. */
type CallbackRequest = Request | undefined

/** Gives users who sign in with the OpenID Connect provider the rights of their groups. */
interface GroupSignIn {
  /**
   * Reads the groups from the user's claims.
   * @returns the error code that rejects the sign-in, or null
   */
  read(request: CallbackRequest, claims: object): string | null
  /** Returns the rights that were read for this request. */
  find(request: CallbackRequest): GroupRights | null
  /**
   * Applies the rights that were read for this request.
   * @throws when none were read, so that no session starts with outdated rights
   */
  apply(request: CallbackRequest, userId: string): Promise<void>
}

export function buildGroupSignIn(deps: ApiDeps): GroupSignIn {
  const groups = deps.signIn.oidc?.groups ?? null
  const found = new WeakMap<Request, GroupRights>()
  const find = (request: CallbackRequest) => (request && found.get(request)) ?? null
  return {
    find,
    read(request, claims) {
      if (groups === null || request === undefined) return null
      try {
        found.set(request, toGroupRights(groups.rules, readGroups(claims, groups.claim)))
        return null
      } catch (error) {
        if (!(error instanceof GroupsClaimError)) throw error
        deps.log.warn({ reason: error.message }, 'a sign-in was rejected because of its groups')
        return 'groups_claim_invalid'
      }
    },
    async apply(request, userId) {
      if (groups === null) return
      const rights = find(request)
      if (rights === null) throw new APIError('FORBIDDEN', { code: 'groups_claim_invalid' })
      const { isLastAdmin } = await applyGroupRights(deps, { userId, rights })
      if (isLastAdmin) {
        deps.log.warn({ userId }, 'the only admin is no longer in an admin group and keeps admin access')
      }
    },
  }
}

/**
 * Returns the groups in a claim. `claim` is the name of a claim, or a path such as
 * `realm_access.roles`. A claim with the exact name has precedence. An absent claim means no groups,
 * because providers omit it for users without groups.
 * @throws GroupsClaimError when the claim is not a string or an array of strings, too long, or not included
 */
export function readGroups(claims: object, claim: string): string[] {
  const value = findClaim(claims, claim)
  if (value === undefined || value === null) {
    // The provider names another place that has the claim (OpenID Connect Core 1.0, 5.6.2). Entra ID
    // does this for users with more than 200 groups.
    const elsewhere = findOwn(claims, '_claim_names')
    if (isObject(elsewhere) && Object.hasOwn(elsewhere, claim)) {
      throw new GroupsClaimError(
        `the provider did not include the claim "${claim}", because the user is in too many groups`,
      )
    }
    return []
  }
  // Some providers send the only group of a user as a string.
  const groups: unknown = typeof value === 'string' ? [value] : value
  if (!Array.isArray(groups)) throw new GroupsClaimError(`the claim "${claim}" is not a string or an array`)
  if (groups.length > MAX_GROUPS) {
    throw new GroupsClaimError(`the claim "${claim}" has ${groups.length} groups, more than ${MAX_GROUPS}`)
  }
  if (!groups.every((one) => typeof one === 'string' && one.length <= MAX_NAME_LENGTH)) {
    throw new GroupsClaimError(`the claim "${claim}" contains a value that is not a string, or is too long`)
  }
  return groups
}

/** Returns the claim with this name or at this path, or undefined. */
export function findClaim(claims: object, claim: string): unknown {
  if (Object.hasOwn(claims, claim)) return findOwn(claims, claim)
  return claim.split('.').reduce<unknown>((value, name) => (isObject(value) ? findOwn(value, name) : undefined), claims)
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const findOwn = (object: object, name: string): unknown =>
  Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined
