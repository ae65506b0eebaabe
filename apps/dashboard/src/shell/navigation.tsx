import { ATTENTION_STATES, type DashboardProject } from '@corrigenda/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { jobsNeedingAttentionQuery } from '../api/jobs.ts'
import { projectsQuery } from '../api/projects.ts'
import { sessionQuery, signOut } from '../api/session.ts'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Icon, type IconName } from '../components/icon.tsx'
import { JOB_STATE_FACTS } from '../components/job-badge.tsx'
import { Menu, type MenuEntry } from '../components/menu.tsx'
import { useAction } from '../components/use-action.ts'
import { forgetDrafts } from './draft-store.ts'
import { toProjectPages, toReferencePath } from './project-pages.ts'
import { setTheme, type Theme, useTheme } from './theme.ts'
import { Wordmark } from './wordmark.tsx'

const THEMES: readonly { theme: Theme; label: string; icon: IconName }[] = [
  { theme: 'system', label: 'System', icon: 'contrast' },
  { theme: 'light', label: 'Light', icon: 'sun' },
  { theme: 'dark', label: 'Dark', icon: 'moon' },
]

/** The service counts up to this number. */
const MAX = 100

/** The main navigation. On phones, it is collapsed behind a button. */
export function Navigation(props: {
  projectId: string | null
  /** Opens the list of shortcuts. */
  onHelp: () => void
  /** Opens the command palette. */
  onSearch: () => void
}) {
  const { projectId, onHelp, onSearch } = props
  const { data: session } = useQuery(sessionQuery)
  const user = session?.user
  const { data: projects = [] } = useQuery(projectsQuery)
  // The path of the page where the menu was opened. Navigating to another page collapses the menu.
  const [openOn, setOpenOn] = useState<string | null>(null)
  const path = useRouterState({ select: (state) => state.location.pathname })
  const isOpen = openOn === path
  const project = projects.find(({ id }) => id === projectId) ?? null
  return (
    <header className="navigation" data-open={isOpen || undefined}>
      <div className="navigation-top">
        <Wordmark />
        {session?.demo ? (
          <Badge icon="user" tone="warn" hint="Demo mode. All users on this machine are signed in automatically.">
            Demo
          </Badge>
        ) : null}
        <Button className="navigation-search" variant="quiet" icon="search" iconOnly onClick={onSearch}>
          Command palette
        </Button>
        {project ? <AttentionLink project={project} place="top" /> : null}
        <Button
          className="navigation-toggle"
          variant="quiet"
          icon={isOpen ? 'close' : 'menu'}
          iconOnly
          aria-expanded={isOpen}
          aria-controls="navigation-body"
          onClick={() => setOpenOn(isOpen ? null : path)}
        >
          Menu
        </Button>
      </div>
      <div id="navigation-body" className="navigation-body">
        <ProjectSwitcher projects={projects} current={project} />
        <nav aria-label="Main" className="navigation-links">
          {toProjectPages(project).map(({ to, label, icon }) => (
            <div key={to} className="navigation-item">
              <Link
                to={to}
                params={{ projectId: projectId ?? '' }}
                activeOptions={{ exact: true, includeSearch: false }}
              >
                <Icon name={icon} />
                {label}
              </Link>
              {project && label === 'Jobs' ? <AttentionLink project={project} place="item" /> : null}
            </div>
          ))}
          {user?.isAdmin ? (
            <Link to="/ops">
              <Icon name="operations" />
              Operations
            </Link>
          ) : null}
          <Link to="/account">
            <Icon name="user" />
            Account
          </Link>
        </nav>
        <a className="navigation-reference" href={toReferencePath(project?.id ?? null)}>
          API reference
        </a>
        <div className="spread">
          <ThemeSwitch />
          <Button variant="quiet" icon="question" iconOnly onClick={onHelp}>
            Keyboard shortcuts
          </Button>
        </div>
      </div>
    </header>
  )
}

/** The current project, with a menu to switch to another one. */
function ProjectSwitcher(props: { projects: readonly DashboardProject[]; current: DashboardProject | null }) {
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

/**
 * The number of jobs that wait for the user, with a link to them. They do not wait for viewers.
 * @param place `item`: in the navigation; `top`: next to the menu button of phones
 */
function AttentionLink({ project: { id, role }, place }: { project: DashboardProject; place: 'item' | 'top' }) {
  const mayAct = role !== 'viewer'
  const { data } = useQuery({ ...jobsNeedingAttentionQuery(id), enabled: mayAct })
  if (!mayAct || !data) return null
  const waiting = ATTENTION_STATES.filter((state) => data[state] > 0)
  if (waiting.length === 0) return null
  const toText = (count: number) => (count < MAX ? String(count) : `${MAX - 1}+`)
  const total = toText(waiting.reduce((sum, state) => sum + data[state], 0))
  const parts = waiting.map((state) => `${JOB_STATE_FACTS[state].label}: ${toText(data[state])}`)
  const label = `${total} waiting for you. ${parts.join(', ')}`
  return (
    <Link
      className="attention-link"
      data-place={place}
      to="/projects/$projectId/jobs"
      params={{ projectId: id }}
      search={{ status: ATTENTION_STATES.join() }}
      activeProps={{ 'aria-current': undefined }}
      aria-label={label}
      title={label}
    >
      <span className="attention-link-count">{total}</span>
    </Link>
  )
}

function ThemeSwitch() {
  const current = useTheme()
  const icon = THEMES.find(({ theme }) => theme === current)?.icon ?? 'contrast'
  return (
    <Menu
      trigger={
        <Button variant="quiet" icon={icon}>
          Theme
        </Button>
      }
      entries={THEMES.map(({ theme, label, icon }) => ({
        label,
        icon: theme === current ? 'check' : icon,
        onSelect: () => setTheme(theme),
      }))}
    />
  )
}

/** Returns the action that signs the user out and removes their drafts from this browser. */
export function useSignOut() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useAction({
    mutationFn: signOut,
    onSuccess: async () => {
      forgetDrafts()
      queryClient.clear()
      await navigate({ to: '/sign-in' })
    },
  })
}
