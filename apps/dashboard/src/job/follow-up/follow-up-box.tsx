import { type AgentJob, MAX_PROMPT_LENGTH } from '@corrigenda/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { useToast } from '../../components/toast.tsx'
import { useAction } from '../../components/use-action.ts'
import { useSubmission } from '../../shell/use-submission.ts'
import { type JobKey, jobQuery, sendMessage, transcriptQuery } from '../api/job-queries.ts'
import { describeRange, type FileRange } from '../changes/line-range.ts'
import type { FollowUp, LineComment } from '../memory/job-memory.ts'
import type { JobMemoryHandle } from '../memory/use-job-memory.ts'
import './follow-up-box.css'

const MAX_ROWS = 10

interface FollowUpBoxProps {
  readonly jobKey: JobKey
  readonly job: AgentJob
  /** Contains the text and the comments until they are sent. */
  readonly memory: JobMemoryHandle
  readonly onShow: (range: FileRange) => void
}

/**
 * Sends a follow-up to the job, with the comments on its change. If the job is active, the agent
 * receives it before its next turn. Otherwise, the job is continued. The box stays at the bottom of the
 * window.
 */
export function FollowUpBox({ jobKey, job, memory, onShow }: FollowUpBoxProps) {
  const client = useQueryClient()
  const toast = useToast()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const { text, comments } = memory
  const message = buildMessage(text, comments)
  const isAsked = job.outcome === 'needs_input' && job.status === 'completed'
  const submission = useSubmission(`message:${jobKey.jobId}`)
  const send = useAction({
    mutationFn: ({ text, comments }: FollowUp) => {
      const message = buildMessage(text, comments)
      return sendMessage(jobKey, message, submission.begin(message))
    },
    onSuccess: (changed, sent) => {
      submission.end()
      memory.removeSent(sent)
      client.setQueryData(jobQuery(jobKey).queryKey, changed)
      void client.invalidateQueries({ queryKey: transcriptQuery(jobKey).queryKey })
      toast(
        job.status === 'active' ? 'Follow-up sent. The agent will receive it before its next turn.' : 'Follow-up sent.',
      )
    },
  })
  useEffect(() => {
    // The user may be writing a comment, or a dialog may be open.
    const { activeElement, body } = document
    const isFree = activeElement === body || field.current?.form?.contains(activeElement)
    if (isAsked && isFree) field.current?.focus({ preventScroll: true })
  }, [isAsked])
  const closed = findReason(job)
  if (closed !== null) return <p className="follow-up-closed muted">{closed}</p>
  const isTooLong = message.length > MAX_PROMPT_LENGTH
  const isSendable = message !== '' && !isTooLong && !send.isPending
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !isSendable) return
    event.preventDefault()
    send.mutate({ text, comments })
  }
  return (
    <form
      className="follow-up stack gap-2"
      data-filled={message !== '' || undefined}
      onSubmit={(event) => {
        event.preventDefault()
        if (isSendable) send.mutate({ text, comments })
      }}
    >
      <CommentList comments={comments} onShow={onShow} onRemove={memory.removeComment} />
      {send.error ? <ErrorNote error={send.error} /> : null}
      {isTooLong ? (
        <p className="field-error note">The follow-up has more than {MAX_PROMPT_LENGTH} characters.</p>
      ) : null}
      <div className="follow-up-row">
        <textarea
          ref={field}
          className="field-control"
          data-prose=""
          aria-label={isAsked ? 'Your answer' : 'Follow-up'}
          aria-describedby={`${id}-hint`}
          rows={Math.min(MAX_ROWS, text.split('\n').length)}
          maxLength={MAX_PROMPT_LENGTH}
          value={text}
          placeholder={isAsked ? 'Answer the question…' : 'Ask for a change…'}
          onChange={(event) => memory.setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Button type="submit" variant="primary" busy={send.isPending} disabled={message === '' || isTooLong}>
          Send
        </Button>
      </div>
      <p className="follow-up-hint note keyboard-hint" id={`${id}-hint`}>
        Press Ctrl+Enter or ⌘+Enter to send.
      </p>
    </form>
  )
}

/** Returns the reason why the job does not accept follow-ups, or null. */
function findReason({ status, pullRequest }: AgentJob): string | null {
  if (status === 'archived') return 'This job is archived and cannot be continued. Unarchive it, or create a new job.'
  const state = pullRequest?.state
  if (state === 'merged' || state === 'closed') {
    return `The pull request was ${state}, so the job cannot be continued. Create a new job.`
  }
  return null
}

interface CommentListProps {
  readonly comments: readonly LineComment[]
  readonly onShow: (range: FileRange) => void
  readonly onRemove: (id: string) => void
}

/** The comments that the next follow-up contains. Each one links to its lines. */
function CommentList({ comments, onShow, onRemove }: CommentListProps) {
  const written = comments.filter(({ text }) => text.trim() !== '')
  if (written.length === 0) return null
  const title = written.length === 1 ? '1 comment' : `${written.length} comments`
  return (
    <Disclosure title={title} detail="Sent with the follow-up">
      <ul className="comment-list">
        {written.map((comment) => {
          const place = `${comment.path}, ${describeRange(comment)}`
          return (
            <li key={comment.id}>
              <button type="button" className="comment-list-place" onClick={() => onShow(comment)}>
                {place}
              </button>
              <span className="grow truncate" dir="auto">
                {comment.text}
              </span>
              <Button variant="quiet" icon="close" iconOnly onClick={() => onRemove(comment.id)}>
                Delete the comment on {place}
              </Button>
            </li>
          )
        })}
      </ul>
    </Disclosure>
  )
}

/** Returns the follow-up's prompt: the text, then each comment with its file, lines and their text. */
export function buildMessage(text: string, comments: readonly LineComment[]): string {
  const written = comments.filter((comment) => comment.text.trim() !== '')
  const parts = written.map((comment) => {
    const { path, quote } = comment
    return [
      `${path}, ${describeRange(comment)}:`,
      quote.map((line) => `> ${line}`.trimEnd()).join('\n'),
      comment.text.trim(),
    ]
      .filter((part) => part !== '')
      .join('\n\n')
  })
  const title = written.length === 0 ? [] : ['Comments on your changes:']
  return [text.trim(), ...title, ...parts].filter((part) => part !== '').join('\n\n')
}
