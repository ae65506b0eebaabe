import type { DashboardProject } from '@corrigenda/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { checkConnection, useConnection } from '../api/connection.ts'
import { toJobsKey } from '../api/jobs.ts'
import { projectsQuery } from '../api/projects.ts'
import { toProjectPath } from '../api/request.ts'
import { useAnnounce } from '../components/announcer.tsx'
import { Icon } from '../components/icon.tsx'
import { Loading } from '../components/loading.tsx'
import { ShortcutSheet } from '../keyboard/shortcut-sheet.tsx'
import { type Shortcut, useShortcutList, useShortcuts } from '../keyboard/shortcuts.tsx'
import { forgetDrafts } from './draft-store.ts'
import { Navigation } from './navigation.tsx'
import { PageActionsProvider, usePalette } from './palette/page-actions.tsx'
import { Palette } from './palette/palette.tsx'
import { toProjectPages } from './project-pages.ts'
import { findLastProject, rememberProject, useUser } from './use-project.ts'
import { useWatchedJobs } from './watched-jobs/use-watched-jobs.tsx'
import './shell.css'

/** Minimum interval between refetches of the list, in ms. */
const READ_MS = 400

/** Polling interval in ms after the stream has closed permanently. */
const POLL_MS = 5_000

const TEXT = 'Connection lost. This page shows the data last received. Reconnecting…'

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

/**
 * A bar above every page while the service is unreachable. Repeats the requests that failed once
 * the service responds again.
 */
function ConnectionBar() {
  const isConnected = useConnection()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const wasConnected = useRef(isConnected)
  useEffect(() => {
    if (wasConnected.current === isConnected) return
    wasConnected.current = isConnected
    announce(isConnected ? 'Connected again.' : TEXT)
    if (!isConnected) return
    // Not all queries, because many pages reconnect at the same time.
    void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
  }, [isConnected, announce, queryClient])
  if (isConnected) return null
  return (
    <div className="connection-bar" data-testid="connection-bar">
      <Icon name="warning" />
      <p>{TEXT}</p>
    </div>
  )
}

/**
 * Refetches a project's jobs when the service reports a change. Active only while the page is
 * visible, because browsers limit the number of connections per host.
 */
function useJobUpdates(projectId: string | null): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (projectId === null) return
    let source: EventSource | null = null
    let pending: ReturnType<typeof setTimeout> | null = null
    let poll: ReturnType<typeof setInterval> | null = null
    let readAt = Number.NEGATIVE_INFINITY

    const queryKey = toJobsKey(projectId)
    const read = () => {
      pending = null
      readAt = performance.now()
      // A refetch would cancel a running request for older jobs.
      if (queryClient.isFetching({ queryKey }) > 0) return readSoon()
      void queryClient.invalidateQueries({ queryKey })
    }
    const readSoon = () => {
      pending ??= setTimeout(read, Math.max(0, readAt + READ_MS - performance.now()))
    }
    const stop = () => {
      source?.close()
      source = null
      if (poll !== null) clearInterval(poll)
      poll = null
    }
    const start = () => {
      const opened = new EventSource(toProjectPath(projectId, 'events'))
      source = opened
      let wasOpen = false
      opened.addEventListener('open', () => {
        // Fetches changes missed while disconnected.
        if (wasOpen) readSoon()
        wasOpen = true
      })
      opened.addEventListener('jobs', readSoon)
      opened.addEventListener('error', () => {
        checkConnection()
        if (opened.readyState === EventSource.CLOSED && source === opened) poll ??= setInterval(readSoon, POLL_MS)
      })
    }
    const onVisibilityChange = () => {
      stop()
      if (document.visibilityState === 'hidden') return
      start()
      readSoon()
    }
    if (document.visibilityState !== 'hidden') start()
    document.addEventListener('visibilitychange', onVisibilityChange)
    return () => {
      document.removeEventListener('visibilitychange', onVisibilityChange)
      stop()
      if (pending !== null) clearTimeout(pending)
    }
  }, [projectId, queryClient])
}

/** Returns the shortcuts of all pages: the pages that the user can open, and the list of shortcuts. */
function usePageShortcuts(project: DashboardProject | null, onHelp: () => void): readonly Shortcut[] {
  const navigate = useNavigate()
  const isAdmin = useUser()?.isAdmin === true
  const help = useRef(onHelp)
  help.current = onHelp
  return useMemo(() => {
    const pages = toProjectPages(project).flatMap(({ to, label, keys }): Shortcut[] => {
      if (keys === undefined || project === null) return []
      const run = () => void navigate({ to, params: { projectId: project.id } })
      return [{ keys, label: keys === 'n' ? label : `Go to ${toLowerWord(label)}`, run }]
    })
    return [
      ...pages,
      { keys: 'g p', label: 'Go to projects', run: () => void navigate({ to: '/projects' }) },
      ...(isAdmin ? [{ keys: 'g o', label: 'Go to operations', run: () => void navigate({ to: '/ops' }) }] : []),
      { keys: 'g a', label: 'Go to account', run: () => void navigate({ to: '/account' }) },
      { keys: '?', label: 'Show keyboard shortcuts', run: () => help.current() },
    ]
  }, [project, isAdmin, navigate])
}

/** Keeps abbreviations, as in `API keys`. */
const toLowerWord = (label: string): string =>
  /^[A-Z]{2}/.test(label) ? label : `${label.charAt(0).toLowerCase()}${label.slice(1)}`
