import type { DashboardProject } from '@corrigenda/contracts'
import type { IconName } from '../components/icon.tsx'

/** The pages of a project, in the order of the navigation. */
const PROJECT_PAGES = [
  { to: '/projects/$projectId/jobs', label: 'Jobs', icon: 'jobs', keys: 'g j' },
  { to: '/projects/$projectId/jobs/new', label: 'New job', icon: 'plus', keys: 'n' },
  { to: '/projects/$projectId/keys', label: 'API keys', icon: 'key', keys: 'g k' },
  { to: '/projects/$projectId/members', label: 'Members', icon: 'members', keys: 'g m' },
  { to: '/projects/$projectId/usage', label: 'Usage', icon: 'chart', keys: 'g u', isForOwners: true },
  { to: '/projects/$projectId/settings', label: 'Settings', icon: 'settings', keys: 'g s' },
  { to: '/projects/$projectId/audit', label: 'Audit log', icon: 'archive', isForOwners: true },
] as const satisfies readonly {
  to: string
  label: string
  icon: IconName
  /** Keyboard shortcut. */
  keys?: string
  isForOwners?: boolean
}[]

interface ProjectPage {
  readonly to: (typeof PROJECT_PAGES)[number]['to']
  readonly label: string
  readonly icon: IconName
  readonly keys?: string
}

/** Returns the pages that the user can open in the project. */
export const toProjectPages = (project: DashboardProject | null): readonly ProjectPage[] =>
  project === null ? [] : PROJECT_PAGES.filter((page) => !('isForOwners' in page) || project.role === 'owner')

/** Returns the path of the API reference, filled in with the project. */
export const toReferencePath = (projectId: string | null): string =>
  projectId === null ? '/reference' : `/reference?project=${encodeURIComponent(projectId)}`
