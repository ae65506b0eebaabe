import type { FileChange } from '@corrigenda/contracts'
import { useCallback, useMemo, useState } from 'react'
import { hashText } from '../../format/hash-text.ts'
import type { JobMemoryHandle } from '../memory/use-job-memory.ts'
import { isOpenAtFirst } from './build-rows.ts'

/**
 * Returns which files are open and which were viewed. A viewed file is closed. It is no longer viewed
 * when its change differs, for example after a follow-up.
 */
export function useOpenFiles(files: readonly FileChange[], { viewed, setViewed }: JobMemoryHandle) {
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map())
  const hashes = useMemo(
    () => files.map(({ status, patch, omitted }) => hashText(`${status} ${omitted} ${patch}`)),
    [files],
  )
  const isViewed = useCallback(
    (index: number) => hashes[index] !== undefined && viewed[files[index]?.path ?? ''] === hashes[index],
    [files, hashes, viewed],
  )
  const isOpen = useCallback(
    (index: number) => {
      const file = files[index]
      return file !== undefined && (toggled.get(file.path) ?? (!isViewed(index) && isOpenAtFirst(file)))
    },
    [files, toggled, isViewed],
  )
  const put = (indexes: readonly number[], isShown: boolean) =>
    setToggled((known) => {
      const next = new Map(known)
      for (const index of indexes) if (files[index]) next.set(files[index].path, isShown)
      return next
    })
  const all = [...files.keys()]
  return {
    isOpen,
    isViewed,
    viewedCount: all.filter(isViewed).length,
    toggle: (index: number) => put([index], !isOpen(index)),
    toggleAll: () => put(all, !all.some(isOpen)),
    open: (index: number) => put([index], true),
    setViewed(index: number, isSeen: boolean) {
      const file = files[index]
      if (!file) return
      put([index], !isSeen)
      setViewed(file.path, isSeen ? (hashes[index] ?? null) : null)
    },
  }
}
