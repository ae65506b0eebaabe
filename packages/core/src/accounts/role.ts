import type { KeyScope, Role } from '@corrigenda/contracts'

const RANK: Readonly<Record<Role, number>> = { viewer: 0, member: 1, owner: 2 }

/** Owners may do what members may, and members what viewers may. */
export const isAtLeast = (role: Role, needed: Role): boolean => RANK[role] >= RANK[needed]

/** What a role may do at the endpoints that keys are made for. */
export const toScopes = (role: Role): readonly KeyScope[] =>
  role === 'viewer' ? ['jobs:read'] : ['jobs:read', 'jobs:write', 'project:deploy']
