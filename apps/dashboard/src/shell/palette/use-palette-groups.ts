import { type DashboardProject, toJobState } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { jobSearchQuery } from '../../api/jobs.ts'
import { projectsQuery } from '../../api/projects.ts'
import { sessionQuery } from '../../api/session.ts'
import { copyText } from '../../components/copy-button.tsx'
import { JOB_STATE_FACTS } from '../../components/job-badge.tsx'
import { useToast } from '../../components/toast.tsx'
import { toJobTitle } from '../../format/format.ts'
import { goTo } from '../go-to.ts'
import { useSignOut } from '../navigation.tsx'
import { toProjectPages, toReferencePath } from '../project-pages.ts'
import { setTheme } from '../theme.ts'
import { filterEntries, type PaletteEntry, type PaletteGroup } from './palette-entry.ts'

/**
 * Returns the entries of the command palette that match the query: actions of the page, its project's
 * pages and jobs, other projects, and general actions.
 */
export function usePaletteGroups(input: {
  query: string
  /** The query that the service searches for, which follows later. */
  searched: string
  projectId: string | null
  pageActions: readonly PaletteEntry[]
}): { groups: readonly PaletteGroup[]; isSearching: boolean } {
  const { query, searched, projectId, pageActions } = input
  const { data: projects = [] } = useQuery(projectsQuery)
  const project = projects.find(({ id }) => id === projectId) ?? null
  const jobs = useJobs(project, { query, searched: searched.trim() })
  const pages = usePages(project)
  const others = useProjects(projects.filter(({ id }) => id !== project?.id))
  const general = useGeneralActions()
  const groups = [
    { title: 'This page', entries: filterEntries(pageActions, query) },
    { title: 'Pages', entries: filterEntries(pages, query) },
    { title: query.trim() === '' ? 'Open jobs' : 'Jobs', entries: jobs.entries },
    { title: 'Projects', entries: filterEntries(others, query) },
    { title: 'Actions', entries: filterEntries(general, query) },
  ]
  return { groups: groups.filter(({ entries }) => entries.length > 0), isSearching: jobs.isSearching }
}

function useJobs(project: DashboardProject | null, { query, searched }: { query: string; searched: string }) {
  const navigate = useNavigate()
  const found = useQuery({ ...jobSearchQuery(project?.id ?? '', searched), enabled: project !== null })
  const entries = (found.data ?? []).map((job): PaletteEntry => {
    const { label, icon } = JOB_STATE_FACTS[toJobState(job)]
    const params = { projectId: project?.id ?? '', jobId: job.id }
    return {
      id: `job ${job.id}`,
      label: toJobTitle(job),
      words: job.prompt,
      detail: label,
      icon,
      run: () => void navigate({ to: '/projects/$projectId/jobs/$jobId', params }),
    }
  })
  const isSearching = query.trim() !== searched || found.isPlaceholderData
  // Enter never opens a job of an earlier query that does not match this one.
  return { entries: isSearching ? filterEntries(entries, query) : entries, isSearching }
}

function useProjects(projects: readonly DashboardProject[]): readonly PaletteEntry[] {
  const navigate = useNavigate()
  return projects.map(({ id, name }) => ({
    id: `project ${id}`,
    label: name,
    words: 'project switch',
    icon: 'branch',
    run: () => void navigate({ to: '/projects/$projectId/jobs', params: { projectId: id } }),
  }))
}

function usePages(project: DashboardProject | null): readonly PaletteEntry[] {
  const navigate = useNavigate()
  const { data: session } = useQuery(sessionQuery)
  const inProject = toProjectPages(project).map(({ to, label, icon, keys }) => ({
    id: to,
    label,
    icon,
    words: 'go to open',
    ...(keys === undefined ? {} : { keys }),
    run: () => void navigate({ to, params: { projectId: project?.id ?? '' } }),
  }))
  const page = (to: '/projects' | '/ops' | '/account', entry: Pick<PaletteEntry, 'label' | 'icon' | 'keys'>) => ({
    id: to,
    words: 'go to open',
    ...entry,
    run: () => void navigate({ to }),
  })
  return [
    ...inProject,
    page('/projects', { label: 'All projects', icon: 'branch', keys: 'g p' }),
    ...(session?.user?.isAdmin ? [page('/ops', { label: 'Operations', icon: 'operations', keys: 'g o' })] : []),
    page('/account', { label: 'Account', icon: 'user', keys: 'g a' }),
    {
      id: 'reference',
      label: 'API reference',
      words: 'go to open docs',
      icon: 'question',
      run: () => void goTo(navigate, toReferencePath(project?.id ?? null)),
    },
  ]
}

function useGeneralActions(): readonly PaletteEntry[] {
  const toast = useToast()
  const leave = useSignOut()
  const copyLink = async () => {
    const isCopied = await copyText(window.location.href)
    toast(isCopied ? 'Link copied.' : 'The browser blocked copying.', isCopied ? 'ok' : 'bad')
  }
  const toTheme = (name: 'light' | 'dark' | 'system', icon: PaletteEntry['icon']): PaletteEntry => ({
    id: `theme ${name}`,
    label: `Use the ${name} theme`,
    words: 'appearance mode',
    icon,
    run: () => setTheme(name),
  })
  return [
    { id: 'copy', label: 'Copy link to this page', words: 'url address', icon: 'copy', run: () => void copyLink() },
    toTheme('light', 'sun'),
    toTheme('dark', 'moon'),
    toTheme('system', 'contrast'),
    { id: 'leave', label: 'Sign out', words: 'log out', icon: 'user', run: () => leave.mutate() },
  ]
}
