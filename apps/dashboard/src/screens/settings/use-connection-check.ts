import type { RepositoryTest } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { repositoryTestQuery, startRepositoryTest } from '../../api/repository-tests.ts'
import { useAction } from '../../api/use-action.ts'
import { useAnnounce } from '../../components/announcer.tsx'
import { useProjectId } from '../../shell/use-project.ts'

/** The connection check that this page has started last. */
export interface ConnectionCheck {
  readonly test: RepositoryTest | undefined
  readonly isOpen: boolean
  readonly error: Error | null
  /**
   * Starts a check on a worker. If a check is running, another one follows, because the running one
   * may have read earlier settings.
   */
  readonly start: () => void
}

/** @param onEnd called when a check ends */
export function useConnectionCheck(onEnd?: () => void): ConnectionCheck {
  const projectId = useProjectId()
  const announce = useAnnounce()
  const [testId, setTestId] = useState<string | null>(null)
  const startsAgain = useRef(false)
  const {
    mutate,
    isPending,
    error: startError,
  } = useAction({
    mutationFn: () => startRepositoryTest(projectId),
    onSuccess: ({ id }) => setTestId(id),
  })
  const { data: test, error: readError } = useQuery({
    ...repositoryTestQuery(projectId, testId ?? ''),
    enabled: testId !== null,
  })
  const isOpen = isPending || (testId !== null && test?.status !== 'done' && !readError)
  const ok = test?.ok ?? null
  useEffect(() => {
    if (ok === null) return
    announce(ok ? 'The connection works' : 'The connection does not work')
    onEnd?.()
    if (!startsAgain.current) return
    startsAgain.current = false
    mutate()
  }, [ok, announce, onEnd, mutate])
  const start = () => {
    if (isOpen) startsAgain.current = true
    else mutate()
  }
  return { test, isOpen, error: startError ?? readError, start }
}
