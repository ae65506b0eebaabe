import { useCallback, useEffect, useState } from 'react'
import { type DraftGroup, findDraft, keepDraft, watchDraft } from './draft-store.ts'
import { useProjectId, useUser } from './use-project.ts'

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
