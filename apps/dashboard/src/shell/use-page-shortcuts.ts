import type { DashboardProject } from '@corrigenda/contracts'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import type { Shortcut } from '../keyboard/shortcuts.tsx'
import { toProjectPages } from './project-pages.ts'
import { useUser } from './use-project.ts'

/** Returns the shortcuts of all pages: the pages that the user can open, and the list of shortcuts. */
export function usePageShortcuts(project: DashboardProject | null, onHelp: () => void): readonly Shortcut[] {
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
