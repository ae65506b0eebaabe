import { useCallback, useMemo, useRef } from 'react'
import { type DraftOptions, useDraft } from '../../shell/draft-store.ts'
import { EMPTY_MEMORY, type FollowUp, JobMemory, type LineComment, removeSent } from './job-memory.ts'

/** The memory of jobs that were used before the last 50 is removed. */
const OPTIONS: DraftOptions<JobMemory> = {
  empty: EMPTY_MEMORY,
  read: (stored) => JobMemory.safeParse(stored).data ?? null,
  group: { prefix: 'job:', max: 50 },
  isShared: true,
}

export interface JobMemoryHandle extends JobMemory {
  readonly setText: (text: string) => void
  /** Adds a comment, or changes the one with the same id. */
  readonly putComment: (comment: LineComment) => void
  readonly removeComment: (id: string) => void
  /** Removes what was sent, but not what the user has written since. */
  readonly removeSent: (sent: FollowUp) => void
  /** Stores the hash of a viewed file's change. Null: the file is no longer viewed. */
  readonly setViewed: (path: string, hash: string | null) => void
}

/** Returns what this browser remembers about a job: viewed files and the unsent follow-up. */
export function useJobMemory(jobId: string): JobMemoryHandle {
  const [memory, setMemory] = useDraft(`job:${jobId}`, OPTIONS)
  const latest = useRef(memory)
  latest.current = memory
  const change = useCallback(
    (edit: (known: JobMemory) => Partial<JobMemory>) => {
      latest.current = { ...latest.current, ...edit(latest.current) }
      setMemory(latest.current)
    },
    [setMemory],
  )
  const actions = useMemo(
    () => ({
      setText: (text: string) => change(() => ({ text })),
      putComment: (comment: LineComment) =>
        change(({ comments }) => ({
          comments: comments.some(({ id }) => id === comment.id)
            ? comments.map((known) => (known.id === comment.id ? comment : known))
            : [...comments, comment],
        })),
      removeComment: (id: string) =>
        change(({ comments }) => ({ comments: comments.filter((comment) => comment.id !== id) })),
      removeSent: (sent: FollowUp) => change((known) => removeSent(known, sent)),
      setViewed: (path: string, hash: string | null) =>
        change(({ viewed: { [path]: _before, ...others } }) => ({
          viewed: hash === null ? others : { ...others, [path]: hash },
        })),
    }),
    [change],
  )
  return { ...memory, ...actions }
}
