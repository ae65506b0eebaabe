import type { Role } from '@corrigenda/contracts'

/** Role names and permissions. */
export const ROLE_FACTS: Readonly<Record<Role, { readonly name: string; readonly may: string }>> = {
  viewer: { name: 'Viewer', may: 'can read jobs and their changes.' },
  member: { name: 'Member', may: 'can read, create and manage jobs, deploy, and manage API keys.' },
  owner: { name: 'Owner', may: 'can do everything a member can, and manage settings, members and the project itself.' },
}

export const ROLE_CARDS = (['viewer', 'member', 'owner'] as const).map((role) => {
  const { name, may } = ROLE_FACTS[role]
  return { value: role, title: name, description: `${may.charAt(0).toUpperCase()}${may.slice(1)}` }
})
