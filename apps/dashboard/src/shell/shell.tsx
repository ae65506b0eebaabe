import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { projectsQuery } from '../api/projects.ts'
import { Loading } from '../components/loading.tsx'
import { ShortcutSheet } from '../keyboard/shortcut-sheet.tsx'
import { type Shortcut, useShortcutList, useShortcuts } from '../keyboard/shortcuts.tsx'
import { findLastProject, rememberProject } from './last-project.ts'
import { Navigation } from './navigation.tsx'
import './shell.css'

/**
 * The layout of all pages for signed-in users. The navigation is at the side, or at the top on
 * phones.
 */
export function Shell() {
  const { projectId: shown } = useParams({ strict: false })
  const navigate = useNavigate()
  const [sheet, setSheet] = useState<readonly Shortcut[] | null>(null)
  const listShortcuts = useShortcutList()
  const { data: projects = [] } = useQuery(projectsQuery)
  const last = findLastProject()
  const known = projects.find(({ id }) => id === last) ?? projects[0]
  const projectId = shown ?? known?.id ?? null
  const isKnown = projects.some(({ id }) => id === shown)
  useEffect(() => {
    if (shown && isKnown) rememberProject(shown)
  }, [shown, isKnown])
  useShortcuts(
    useMemo(() => {
      const help = { keys: '?', label: 'Show keyboard shortcuts', run: () => setSheet(listShortcuts()) }
      if (!projectId) return [help]
      const params = { projectId }
      return [
        { keys: 'g j', label: 'Go to jobs', run: () => void navigate({ to: '/projects/$projectId/jobs', params }) },
        {
          keys: 'g k',
          label: 'Go to API keys',
          run: () => void navigate({ to: '/projects/$projectId/keys', params }),
        },
        { keys: 'g p', label: 'Go to projects', run: () => void navigate({ to: '/projects' }) },
        { keys: 'n', label: 'New job', run: () => void navigate({ to: '/projects/$projectId/jobs/new', params }) },
        help,
      ]
    }, [projectId, navigate, listShortcuts]),
  )
  return (
    <div className="shell">
      <a className="shell-skip button" href="#content">
        Skip to content
      </a>
      <Navigation projectId={projectId} onHelp={() => setSheet(listShortcuts())} />
      <main id="content" className="shell-content" tabIndex={-1}>
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </main>
      <ShortcutSheet shortcuts={sheet} onClose={() => setSheet(null)} />
    </div>
  )
}
