import { type AgentJob, REHEARSAL_CAN_DO } from '@corrigenda/contracts'
import { Icon } from '../../components/icon.tsx'
import { SafeMarkdown } from '../transcript/markdown.tsx'
import { RehearsalNote } from './rehearsal-note.tsx'

interface OutcomeNoteProps {
  readonly job: AgentJob
  /** Writes an answer to the agent's question, but does not send it. Undefined if the user may not answer. */
  readonly onAnswer: ((text: string) => void) | undefined
}

/** The job's outcome: the agent's summary or question, or the failure message. */
export function OutcomeNote({ job, onAnswer }: OutcomeNoteProps) {
  if (job.status === 'active') return null
  if (job.failure && job.outcome !== 'cancelled') {
    return (
      <section className="outcome" data-tone="bad" aria-label="Failure">
        <Icon name="failed" />
        <div>
          <p className="outcome-message">{job.failure.message}</p>
          <p className="muted mono">{job.failure.code}</p>
        </div>
      </section>
    )
  }
  if (!job.summary) return null
  const isQuestion = job.outcome === 'needs_input'
  if (isQuestion && job.summary.includes(REHEARSAL_CAN_DO)) {
    return <RehearsalNote job={job} summary={job.summary} onAnswer={onAnswer} />
  }
  return (
    <section
      className="outcome"
      data-tone={isQuestion ? 'warn' : 'plain'}
      aria-label={isQuestion ? 'The agent has a question' : 'Summary'}
      data-testid={isQuestion ? 'question' : undefined}
    >
      <Icon name={isQuestion ? 'question' : 'check'} />
      <div>
        {isQuestion ? <h2>The agent has a question</h2> : null}
        <SafeMarkdown text={job.summary} />
      </div>
    </section>
  )
}
