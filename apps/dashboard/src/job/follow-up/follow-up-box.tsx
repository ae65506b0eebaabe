import { type AgentJob, MAX_PROMPT_LENGTH } from '@corrigenda/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { TextArea } from '../../components/text-area.tsx'
import { useToast } from '../../components/toast.tsx'
import { useTextDraft } from '../../shell/use-draft.ts'
import { type JobKey, jobQuery, sendMessage, transcriptQuery } from '../api/job-queries.ts'
import './follow-up-box.css'

/**
 * Sends a follow-up to the job. If the job is active, the agent receives it before its next turn.
 * Otherwise, the job is continued.
 */
export function FollowUpBox({ jobKey, job }: { jobKey: JobKey; job: AgentJob }) {
  const client = useQueryClient()
  const toast = useToast()
  const [text, setText] = useTextDraft(`follow-up:${jobKey.jobId}`)
  const field = useRef<HTMLTextAreaElement>(null)
  const isAsked = job.outcome === 'needs_input' && job.status === 'completed'
  const send = useAction({
    mutationFn: () => sendMessage(jobKey, text),
    onSuccess: (changed) => {
      setText('')
      client.setQueryData(jobQuery(jobKey).queryKey, changed)
      void client.invalidateQueries({ queryKey: transcriptQuery(jobKey).queryKey })
      toast(
        job.status === 'active' ? 'Follow-up sent. The agent will receive it before its next turn.' : 'Follow-up sent.',
      )
    },
  })
  useEffect(() => {
    if (isAsked) field.current?.focus({ preventScroll: true })
  }, [isAsked])
  const closed = findReason(job)
  if (closed !== null) return <p className="follow-up-closed muted">{closed}</p>
  const isSendable = text.trim() !== '' && !send.isPending
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !isSendable) return
    event.preventDefault()
    send.mutate()
  }
  return (
    <form
      className="follow-up"
      onSubmit={(event) => {
        event.preventDefault()
        if (isSendable) send.mutate()
      }}
    >
      <TextArea
        ref={field}
        label={isAsked ? 'Your answer' : 'Follow-up'}
        hint="Press Ctrl+Enter or ⌘+Enter to send."
        prose
        rows={3}
        maxLength={MAX_PROMPT_LENGTH}
        value={text}
        placeholder={isAsked ? 'Answer the question…' : 'What should the agent change?'}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {send.error ? <ErrorNote error={send.error} /> : null}
      <Button type="submit" variant="primary" busy={send.isPending} disabled={text.trim() === ''}>
        Send
      </Button>
    </form>
  )
}

/** Returns the reason why the job does not accept follow-ups, or null. */
function findReason({ status, pullRequest }: AgentJob): string | null {
  if (status === 'archived') return 'This job is archived and cannot be continued. Create a new job.'
  const state = pullRequest?.state
  if (state === 'merged' || state === 'closed') {
    return `The pull request was ${state}, so the job cannot be continued. Create a new job.`
  }
  return null
}
