import type { DashboardJob } from '@corrigenda/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { toJobsKey } from '../../api/jobs.ts'
import { toSentence } from '../../api/request.ts'
import { toRandomKey } from '../../api/submission.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { useAction } from '../../components/use-action.ts'
import { toJobTitle } from '../../format/format.ts'
import { BULK_ACTIONS, type BulkAction, runBulk } from './bulk-actions.ts'

interface BulkDialogProps {
  readonly projectId: string
  readonly action: BulkAction
  /** The selected jobs to which the action applies. */
  readonly jobs: readonly DashboardJob[]
  /** Number of other selected jobs. */
  readonly skipped: number
  /** Receives the ids of the jobs for which the action failed, or null if it was not run. */
  readonly onClose: (failed: readonly string[] | null) => void
}

/** Confirms an action for several jobs, runs it, and shows the result of each job. */
export function BulkDialog({ projectId, action, jobs, skipped, onClose }: BulkDialogProps) {
  const client = useQueryClient()
  const { verb, done, hint, run } = BULK_ACTIONS[action]
  const [results, setResults] = useState<ReadonlyMap<string, unknown>>(new Map())
  // Repeating the action for a job whose response was lost does not run it twice.
  const batch = useRef(toRandomKey())
  const failed = jobs.filter(({ id }) => (results.get(id) ?? null) !== null)
  const perform = useAction<void, readonly DashboardJob[]>({
    mutationFn: (items) =>
      runBulk({
        items,
        act: ({ id: jobId }) => run({ projectId, jobId }, `${batch.current}-${jobId}`),
        onResult: ({ id }, error) => setResults((known) => new Map(known).set(id, error)),
      }),
    onSettled: () => client.invalidateQueries({ queryKey: toJobsKey(projectId) }),
  })
  const isRun = perform.status !== 'idle'
  const isDone = isRun && !perform.isPending
  const close = () => {
    // The remaining requests would continue without a result.
    if (!perform.isPending) onClose(isRun ? failed.map(({ id }) => id) : null)
  }
  const count = toJobs(jobs.length)
  return (
    <Dialog
      open
      onClose={close}
      title={isDone ? toSummary(jobs.length - failed.length, failed.length, done) : `${verb} ${count}?`}
      description={
        isRun ? undefined : (
          <>
            {hint}
            {skipped > 0 ? ` ${toJobs(skipped)} of the selection ${skipped === 1 ? 'is' : 'are'} skipped.` : ''}
          </>
        )
      }
      actions={
        isDone ? (
          <>
            {failed.length > 0 ? <Button onClick={() => perform.mutate(failed)}>Try failed jobs again</Button> : null}
            <Button variant="primary" onClick={close}>
              Done
            </Button>
          </>
        ) : (
          <>
            <Button onClick={close} disabled={perform.isPending}>
              {action === 'cancel' ? 'Keep jobs' : 'Cancel'}
            </Button>
            <Button
              variant={action === 'retry' ? 'primary' : 'danger'}
              busy={perform.isPending}
              onClick={() => perform.mutate(jobs)}
            >
              {`${verb} ${count}`}
            </Button>
          </>
        )
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll it */}
      <ul className="bulk-results stack gap-2" aria-label="Jobs" tabIndex={0}>
        {jobs.map((job) => (
          <Result key={job.id} title={toJobTitle(job)} error={results.get(job.id)} />
        ))}
      </ul>
    </Dialog>
  )
}

/** @param error undefined until the result is known, null on success */
function Result({ title, error }: { title: string; error: unknown }) {
  const isKnown = error !== undefined
  const tone = !isKnown ? 'muted' : error === null ? 'ok' : 'bad'
  return (
    <li data-tone={tone}>
      <Icon name={!isKnown ? 'ring' : error === null ? 'check' : 'failed'} />
      <span className="truncate" dir="auto">
        {title}
      </span>
      {isKnown ? <span className="bulk-result-state note">{error === null ? 'Done' : toSentence(error)}</span> : null}
    </li>
  )
}

const toJobs = (count: number): string => `${count} ${count === 1 ? 'job' : 'jobs'}`

const toSummary = (succeeded: number, failed: number, done: string): string =>
  failed === 0 ? `${toJobs(succeeded)} ${done}` : `${succeeded} ${done}, ${failed} failed`
