import { useCallback, useEffect, useState } from 'react'
import { useProjectId, useUser } from './use-project.ts'

/**
 * Unsent text and unsaved fields, kept in this browser until they are sent, discarded, or the user
 * signs out. Each draft belongs to one user.
 */
const PREFIX = 'corrigenda-draft:'

interface DraftKey {
  readonly userId: string
  /** Id of the project, and what is drafted in it, such as `new-job`. */
  readonly projectId: string
  readonly name: string
}

/** Drafts of which only the newest are kept. */
export interface DraftGroup {
  /** The start of their names. */
  readonly prefix: string
  readonly max: number
}

const toName = ({ userId, projectId, name }: DraftKey) => `${PREFIX}${userId}:${projectId}:${name}`

/** Returns the stored draft, which an older version may have written, or null. */
export function findDraft(key: DraftKey): unknown {
  try {
    return JSON.parse(localStorage.getItem(toName(key)) ?? 'null')
  } catch {
    return null
  }
}

/** Stores a draft. Null removes it. */
export function keepDraft(key: DraftKey, value: unknown, group?: DraftGroup): void {
  const name = toName(key)
  try {
    if (value === null) {
      localStorage.removeItem(name)
      return
    }
    if (group) makeRoom(key.userId, name, group)
    localStorage.setItem(name, JSON.stringify(group ? { ...Object(value), keptAt: Date.now() } : value))
  } catch {
    // The browser blocks storage, or it is full. The draft lasts until the page is closed.
  }
}

/** Calls `onChange` when another tab changes the draft. Returns the function that stops this. */
export function watchDraft(key: DraftKey, onChange: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === toName(key)) onChange()
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

/** Removes the oldest other drafts of a group, so that there is room for this one. */
function makeRoom(userId: string, own: string, { prefix, max }: DraftGroup): void {
  const isMember = (name: string) =>
    name !== own && name.startsWith(`${PREFIX}${userId}:`) && name.includes(`:${prefix}`)
  const readTime = (name: string): number => JSON.parse(localStorage.getItem(name) ?? '{}').keptAt ?? 0
  const members = Object.keys(localStorage).filter(isMember)
  if (members.length < max) return
  members.sort((a, b) => readTime(b) - readTime(a))
  for (const name of members.slice(max - 1)) localStorage.removeItem(name)
}

/** Removes all drafts, except those of this user. */
export function forgetDrafts(except: string | null = null): void {
  try {
    for (const name of Object.keys(localStorage)) {
      const isKept = except !== null && name.startsWith(`${PREFIX}${except}:`)
      if (name.startsWith(PREFIX) && !isKept) localStorage.removeItem(name)
    }
  } catch {
    // The browser blocks storage, so there are no drafts.
  }
}

export interface DraftOptions<T> {
  /** Value without a draft. Setting it removes the draft. */
  readonly empty: T
  /** Converts a stored draft, which an older version may have written. Null if it is not usable. */
  readonly read: (stored: unknown) => T | null
  /** Returns what to store, for values with parts that must not be stored. */
  readonly toStored?: (value: T) => unknown
  /** Only the newest `max` drafts whose names start with `prefix` are kept. */
  readonly group?: DraftGroup
  /** True to show the changes that other tabs make. */
  readonly isShared?: boolean
}

/**
 * State of a form that survives navigation and reloads. It belongs to the user, the page's project
 * and `name`, such as `new-job`.
 * @param options must be the same for the same name
 */
export function useDraft<T>(name: string, options: DraftOptions<T>): readonly [value: T, set: (value: T) => void] {
  const { empty, read, toStored = (value: T) => value, group, isShared = false } = options
  const userId = useUser()?.id ?? ''
  const projectId = useProjectId()
  const key = `${userId}:${projectId}:${name}`
  const load = () => ({ key, value: read(findDraft({ userId, projectId, name })) ?? empty })
  const [state, setState] = useState(load)
  // The component can stay mounted while the page changes to another job or project.
  const current = state.key === key ? state : load()
  if (current !== state) setState(current)
  useEffect(() => {
    if (!isShared) return
    return watchDraft({ userId, projectId, name }, () =>
      setState({ key, value: read(findDraft({ userId, projectId, name })) ?? empty }),
    )
  }, [isShared, key, userId, projectId, name, read, empty])
  const set = useCallback(
    (value: T) => {
      setState({ key, value })
      const isEmpty = JSON.stringify(value) === JSON.stringify(empty)
      keepDraft({ userId, projectId, name }, isEmpty ? null : toStored(value), group)
    },
    [key, userId, projectId, name, empty, toStored, group],
  )
  return [current.value, set]
}
