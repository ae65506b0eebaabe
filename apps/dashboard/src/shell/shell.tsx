import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { projectsQuery } from '../api/projects.ts'
import { Loading } from '../components/loading.tsx'
import { ShortcutSheet } from '../keyboard/shortcut-sheet.tsx'
import { type Shortcut, useShortcutList, useShortcuts } from '../keyboard/shortcuts.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { forgetDrafts } from './draft-store.ts'
import { findLastProject, rememberProject } from './last-project.ts'
import { Navigation } from './navigation.tsx'
import { PageActionsProvider } from './palette/page-actions.tsx'
import { Palette } from './palette/palette.tsx'
import { usePalette } from './palette/use-palette.ts'
import { useJobUpdates } from './use-job-updates.ts'
import { usePageShortcuts } from './use-page-shortcuts.ts'
import { useUser } from './use-project.ts'
import { useWatchedJobs } from './watched-jobs/use-watched-jobs.ts'
import './shell.css'

/**
 * The layout of all pages for signed-in users. The navigation is at the side, or at the top on
 * phones.
 */
export function Shell() {
  return (
    <PageActionsProvider>
      <Frame />
    </PageActionsProvider>
  )
}

function Frame() {
  const { projectId: shown } = useParams({ strict: false })
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
  const userId = useUser()?.id ?? null
  useEffect(() => {
    // The drafts of a user who did not sign out.
    if (userId !== null) forgetDrafts(userId)
  }, [userId])
  const project = projects.find(({ id }) => id === projectId) ?? null
  useShortcuts(
    usePageShortcuts(project, () => setSheet(listShortcuts())),
    true,
  )
  const palette = usePalette()
  useJobUpdates(isKnown && shown ? shown : null)
  useWatchedJobs()
  return (
    <div className="shell">
      <ConnectionBar />
      <a className="shell-skip button" href="#content">
        Skip to content
      </a>
      <Navigation projectId={projectId} onHelp={() => setSheet(listShortcuts())} onSearch={palette.open} />
      <main id="content" className="shell-content" tabIndex={-1}>
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </main>
      <ShortcutSheet shortcuts={sheet} onClose={() => setSheet(null)} />
      {palette.actions ? <Palette projectId={projectId} pageActions={palette.actions} onClose={palette.close} /> : null}
    </div>
  )
}
