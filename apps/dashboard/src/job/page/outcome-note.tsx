import { type AgentJob, REHEARSAL_CAN_DO } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { modelsQuery } from '../../api/new-job.ts'
import { Icon } from '../../components/icon.tsx'
import { ConnectModel } from '../../shell/connect-model.tsx'
import { ExamplePrompts } from '../../shell/example-prompts.tsx'
import { useHasRole, useProjectId } from '../../shell/use-project.ts'
import { SafeMarkdown } from '../transcript/markdown.tsx'

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

interface RehearsalNoteProps {
  readonly job: AgentJob
  readonly summary: string
  /** As in `OutcomeNoteProps`. */
  readonly onAnswer: ((text: string) => void) | undefined
}

/** The question with which the demo's scripted model ends a request that it does not recognize. */
function RehearsalNote({ job, summary, onAnswer }: RehearsalNoteProps) {
  const { data: models } = useQuery({ ...modelsQuery(useProjectId()), enabled: useHasRole('member') })
  // The examples that follow are shown as buttons.
  const [reason = ''] = summary.split(REHEARSAL_CAN_DO)
  const isReplaced = models !== undefined && models.default !== job.model
  return (
    <section className="outcome" data-tone="warn" aria-label="Question" data-testid="question">
      <Icon name="question" />
      <div>
        <h2>The rehearsal model cannot do this</h2>
        {isReplaced ? (
          <p>A real model is connected now. Select Retry to run this job with {models.default}.</p>
        ) : (
          <>
            <SafeMarkdown text={reason} />
            <ExamplePrompts
              title={onAnswer ? 'Answer with one of these' : 'The rehearsal model can do these'}
              onChoose={onAnswer}
            />
            <h2>Use a real model</h2>
            <ConnectModel />
          </>
        )}
      </div>
    </section>
  )
}
