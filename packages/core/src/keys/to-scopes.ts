import type { KeyScope, Role } from '@corrigenda/contracts'

const MEMBER_SCOPES: readonly KeyScope[] = ['jobs:read', 'jobs:write', 'project:deploy']

const SCOPES: Readonly<Record<Role, readonly KeyScope[]>> = {
  viewer: ['jobs:read'],
  member: MEMBER_SCOPES,
  // Webhooks send prompts and results to other hosts, so only owners manage them.
  owner: [...MEMBER_SCOPES, 'webhooks:write'],
}

/**
 * Returns the API key scopes that are equivalent to a role. Users can only create keys with these
 * scopes.
 */
export const toScopes = (role: Role): readonly KeyScope[] => SCOPES[role]
