import type { KeyScope, Role } from '@corrigenda/contracts'

const RANK: Readonly<Record<Role, number>> = { viewer: 0, member: 1, owner: 2 }

/** Owners have all permissions of members, and members all permissions of viewers. */
export const isAtLeast = (role: Role, needed: Role): boolean => RANK[role] >= RANK[needed]

/** Returns the scopes that correspond to a role at the endpoints that accept API keys. */
export const toScopes = (role: Role): readonly KeyScope[] =>
  role === 'viewer' ? ['jobs:read'] : ['jobs:read', 'jobs:write', 'project:deploy']
