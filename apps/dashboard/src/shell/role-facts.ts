import type { Role } from '@corrigenda/contracts'

/** The names and permissions of roles. */
export const ROLE_FACTS: Readonly<Record<Role, { readonly name: string; readonly may: string }>> = {
  viewer: { name: 'Viewer', may: 'reads jobs and what they changed.' },
  member: { name: 'Member', may: 'also creates and steers jobs, deploys, and manages API keys.' },
  owner: { name: 'Owner', may: 'also decides about settings, people and the project itself.' },
}

export const ROLE_OPTIONS = (['viewer', 'member', 'owner'] as const).map((role) => ({
  value: role,
  label: `${ROLE_FACTS[role].name}: ${ROLE_FACTS[role].may}`,
}))
