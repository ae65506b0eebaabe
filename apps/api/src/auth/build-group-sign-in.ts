import { applyGroupRights, type GroupRights, toGroupRights } from '@corrigenda/core/accounts'
import { APIError } from 'better-auth/api'
import type { ApiDeps } from '../http/deps.ts'
import { GroupsClaimError, readGroups } from './read-groups.ts'

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

export function buildGroupSignIn(deps: Pick<ApiDeps, 'prisma' | 'log' | 'signIn'>): GroupSignIn {
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
