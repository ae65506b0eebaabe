import type { Role } from '@corrigenda/contracts'

const RANK: Readonly<Record<Role, number>> = { viewer: 0, member: 1, owner: 2 }

/** Members have all the permissions of viewers, and owners all those of members. */
export const isAtLeast = (role: Role, needed: Role): boolean => RANK[role] >= RANK[needed]
