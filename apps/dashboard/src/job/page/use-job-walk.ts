import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { toSentence } from '../../api/to-sentence.ts'
import { useToast } from '../../components/toast.tsx'
import { useShortcuts } from '../../keyboard/shortcuts.tsx'
import { findNeighbour } from '../api/find-neighbour.ts'
import type { JobKey } from '../api/job-queries.ts'

/**
 * Registers the `j` and `k` shortcuts, which open the next older or newer job. Returns a function
 * that opens the adjacent job.
 */
export function useJobWalk(jobKey: JobKey): (step: 1 | -1) => void {
  const { projectId, jobId } = jobKey
  const navigate = useNavigate()
  const toast = useToast()
  const walk = useCallback(
    (step: 1 | -1) => {
      findNeighbour({ projectId, jobId }, step)
        .then((next) => {
          if (next === null) return toast(step === 1 ? 'This is the oldest job.' : 'This is the newest job.')
          return navigate({ to: '/projects/$projectId/jobs/$jobId', params: { projectId, jobId: next } })
        })
        .catch((error: unknown) => toast(toSentence(error), 'bad'))
    },
    [projectId, jobId, navigate, toast],
  )
  useShortcuts(
    useMemo(
      () => [
        { keys: 'j', label: 'Older job', run: () => walk(1) },
        { keys: 'k', label: 'Newer job', run: () => walk(-1) },
      ],
      [walk],
    ),
  )
  return walk
}
