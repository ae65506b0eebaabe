import type { DashboardProject } from '@corrigenda/contracts'
import { useNavigate } from '@tanstack/react-router'
import { Icon } from '../components/icon.tsx'
import { Menu, type MenuEntry } from '../components/menu.tsx'
import './project-switcher.css'

/** The current project, with a menu to switch to another one. */
export function ProjectSwitcher(props: { projects: readonly DashboardProject[]; current: DashboardProject | null }) {
  const { projects, current } = props
  const navigate = useNavigate()
  const entries: MenuEntry[] = [
    ...projects.map(({ id, name }) => ({
      id,
      label: name,
      icon: id === current?.id ? ('check' as const) : ('branch' as const),
      onSelect: () => void navigate({ to: '/projects/$projectId/jobs', params: { projectId: id } }),
    })),
    { id: 'all', label: 'All projects', icon: 'jobs', onSelect: () => void navigate({ to: '/projects' }) },
  ]
  return (
    <Menu
      trigger={
        <button type="button" className="project-switcher">
          <span className="sr-only">Project: </span>
          <span className="truncate">{current?.name ?? 'Select a project'}</span>
          <Icon name="chevron" />
        </button>
      }
      entries={entries}
    />
  )
}
