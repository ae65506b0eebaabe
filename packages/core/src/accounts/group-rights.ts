import type { Role } from '@corrigenda/contracts'
import { isAtLeast } from './role.ts'

/** The rights that groups of the identity provider give to their members. */
export interface GroupRules {
  /** Groups whose members are admins. */
  readonly admins: readonly string[]
  readonly roles: readonly GroupRole[]
}

/** The role in a project that a group gives to its members. */
export interface GroupRole {
  readonly group: string
  readonly projectId: string
  readonly role: Role
}

/** A user's rights from groups. */
export interface GroupRights {
  /** The group that makes the user an admin. Null: none. */
  readonly adminGroup: string | null
  /** At most one role per project. */
  readonly roles: readonly GroupRole[]
}

export const NO_GROUP_RIGHTS: GroupRights = { adminGroup: null, roles: [] }

/**
 * Returns the rights of a user in these groups. In each project, the user gets the highest role.
 * Group names are compared exactly.
 */
export function toGroupRights(rules: GroupRules, groups: readonly string[]): GroupRights {
  const own = new Set(groups)
  const roles = new Map<string, GroupRole>()
  for (const rule of rules.roles) {
    if (!own.has(rule.group)) continue
    const best = roles.get(rule.projectId)
    if (best === undefined || !isAtLeast(best.role, rule.role)) roles.set(rule.projectId, rule)
  }
  return { adminGroup: rules.admins.find((group) => own.has(group)) ?? null, roles: [...roles.values()] }
}
