import type { Role } from '@corrigenda/contracts'

/** Role names and permissions. */
export const ROLE_FACTS: Readonly<Record<Role, { readonly name: string; readonly may: string }>> = {
  viewer: { name: 'Viewer', may: 'can read jobs and their changes.' },
  member: { name: 'Member', may: 'can read, create and manage jobs, deploy, and manage API keys.' },
  owner: { name: 'Owner', may: 'can do everything a member can, and manage settings, members and the project itself.' },
}

export const ROLE_OPTIONS = (['viewer', 'member', 'owner'] as const).map((role) => ({
  value: role,
  label: `${ROLE_FACTS[role].name}: ${ROLE_FACTS[role].may}`,
}))
