import {
  findJobEvent,
  formatCallSubject,
  type JobEvent,
  type JobEventOf,
  type JobEventRecord,
  type JobPhase,
  type RemarkIgnored,
} from '@corrigenda/contracts'
import { toDuration } from '../../format/format.ts'

export type StepKind =
  | 'queued'
  | 'preparing'
  | 'editing'
  | 'checking'
  | 'publishing'
  /** The remaining steps have no duration. */
  | 'follow_up'
  | 'delivered'
  | 'completed'
  | 'failed'
  | 'archived'
  | 'pull_request'
  | 'deployment'
  | 'other'

export interface Step {
  /** Sequence number of the event that started the step. */
  readonly seq: number
  readonly kind: StepKind
  readonly title: string
  readonly startedAt: string
  /** Null while the step is running. */
  readonly endedAt: string | null
  /** Attempt number, starting at 1. Null for steps that are not part of an attempt. */
  readonly attempt: number | null
  /** The agent's actions within the step, oldest first. */
  readonly actions: readonly Action[]
  /** Notes about the step, one sentence each. */
  readonly notes: readonly string[]
}

interface Action {
  readonly seq: number
  /** Tool name, or null for a text message. */
  readonly tool: string | null
  readonly text: string
}

const TITLES: Readonly<Record<JobPhase, string>> = {
  queued: 'Waiting for a worker',
  preparing: 'Checking out the repository',
  editing: 'Editing',
  checking: 'Checking',
  publishing: 'Publishing',
}

const isPhase = (kind: StepKind): boolean => Object.hasOwn(TITLES, kind)

/** Groups a job's events into steps for display, in order. */
export function buildSteps(records: readonly JobEventRecord[]): Step[] {
  const steps: Step[] = []
  let attempt: number | null = null
  const change = (edit: (step: Step) => Step) => {
    const index = steps.findLastIndex((step) => isPhase(step.kind) && step.endedAt === null)
    const step = steps[index]
    if (step) steps[index] = edit(step)
    return step !== undefined
  }
  const close = (at: string) => change((step) => ({ ...step, endedAt: at }))
  const begin = (event: JobEvent, kind: JobPhase) => {
    const current = steps.findLast((step) => isPhase(step.kind) && step.endedAt === null)
    if (current?.kind === kind && current.attempt === attempt) return
    close(event.createdAt)
    const { seq, createdAt: startedAt } = event
    steps.push({ seq, kind, title: TITLES[kind], startedAt, endedAt: null, attempt, actions: [], notes: [] })
  }
  const point = ({ seq, createdAt }: JobEventRecord, kind: StepKind, title: string, notes: readonly string[] = []) =>
    steps.push({
      seq,
      kind,
      title,
      notes,
      attempt: null,
      actions: [],
      startedAt: createdAt,
      endedAt: createdAt,
    })
  const act = (action: Action) => change((step) => ({ ...step, actions: [...step.actions, action] }))
  const note = (sentence: string) => change((step) => ({ ...step, notes: [...step.notes, sentence] }))

  const add = (event: JobEvent) => {
    const { type, data, createdAt } = event
    switch (type) {
      case 'job.created':
        begin(event, 'queued')
        break
      case 'job.started':
      case 'job.resumed':
        if (type === 'job.resumed' && data.silentMs !== undefined) {
          note(`Worker lost; continued by another after ${toDuration(data.silentMs)}.`)
        }
        attempt = data.attempt
        begin(event, 'preparing')
        break
      case 'checkout.ready':
        begin(event, 'editing')
        break
      case 'phase.changed':
        begin(event, data.phase)
        break
      case 'policy.read':
        note(`Policy restricted by ${data.path} in the repository (${data.blob.slice(0, 7)}).`)
        break
      case 'instructions.read':
        note(`Read instructions from ${data.path}${toVersion(data)}.`)
        break
      case 'prompt.shortened':
        note(
          `The prompt is too long for the model. ${toCount(data.omitted)} of ${toCount(data.characters)} characters were omitted from its middle.`,
        )
        break
      case 'agent.said':
        act({ seq: event.seq, tool: null, text: data.text })
        break
      case 'tool.called': {
        const { tool, subject, target = null, source = null } = data
        act({ seq: event.seq, tool, text: formatCallSubject({ subject, target, source }) })
        break
      }
      case 'change.frozen':
        begin(event, 'publishing')
        note(`Commit ${data.commit.slice(0, 7)}.`)
        break
      case 'branch.pushed':
        note('Pushed to the branch.')
        break
      case 'job.released':
        attempt = null
        begin(event, 'queued')
        note(RELEASED[data.reason])
        break
      case 'run.restarted':
        note('New commits were pushed to the branch. Restarting from the latest commit.')
        break
      case 'run.ended':
        close(createdAt)
        break
      case 'message.received':
        point(event, 'follow_up', 'Follow-up received')
        break
      case 'message.delivered':
        point(event, 'delivered', 'Follow-up delivered')
        break
      case 'job.continued':
        attempt = null
        begin(event, 'queued')
        break
      case 'job.completed':
        close(createdAt)
        point(event, 'completed', COMPLETED[data.outcome])
        break
      case 'job.failed':
        close(createdAt)
        point(event, 'failed', data.outcome === 'cancelled' ? 'Cancelled' : 'Failed', toCode(data.code))
        break
      case 'job.archived':
        point(event, 'archived', 'Archived')
        break
      case 'job.unarchived':
        point(event, 'archived', 'Unarchived')
        break
      case 'pull_request.updated':
        point(event, 'pull_request', toPullRequestTitle(data))
        break
      case 'remark.received':
        point(event, 'pull_request', `Comment by ${data.author}`, [
          ...(data.path === null ? [] : [data.line === null ? data.path : `${data.path}:${data.line}`]),
          ...(data.ignored === null ? [] : [IGNORED[data.ignored]]),
        ])
        break
      case 'remark.answered':
        point(event, 'pull_request', 'Comments answered', data.commit === null ? [] : [data.commit.slice(0, 7)])
        break
      case 'deployment.finished':
        point(event, 'deployment', data.status === 'success' ? 'Deployed' : 'Deployment failed', [data.summary])
        break
      default: {
        data satisfies never
      }
    }
  }
  for (const record of records) {
    const event = findJobEvent(record)
    if (event === null) point(record, 'other', record.type)
    else add(event)
  }
  return steps
}

const RELEASED: Readonly<Record<JobEventOf<'job.released'>['data']['reason'], string>> = {
  shutdown: 'The worker shut down and released the job.',
  waiting: 'The model API or the Git host is limiting requests. Waiting.',
  error: 'A temporary error occurred. Retrying.',
}

const IGNORED: Readonly<Record<RemarkIgnored, string>> = {
  no_permission: 'No follow-up: the author cannot write to the repository.',
  bot: 'No follow-up: the author is a bot.',
  person_pushed: 'No follow-up: a person has pushed to the branch, so only a mention counts.',
  refused: 'No follow-up: the job accepts none.',
  budget: 'No follow-up: the monthly budget is spent.',
}

const COMPLETED: Readonly<Record<JobEventOf<'job.completed'>['data']['outcome'], string>> = {
  changed: 'Completed',
  no_changes: 'Completed without changes',
  needs_input: 'Asked a question',
}

/** Returns the file's short blob hash in parentheses, with a note if the file was truncated. */
function toVersion({ blob = '', truncated }: JobEventOf<'instructions.read'>['data']): string {
  const parts = [blob.slice(0, 7), ...(truncated ? ['first part only'] : [])].filter(Boolean)
  return parts.length > 0 ? ` (${parts.join(', ')})` : ''
}

const toCount = (count: number): string => count.toLocaleString('en-US')

const toCode = (code: string): string[] => (code === 'cancelled' ? [] : [code])

function toPullRequestTitle({ state, draft, checks }: JobEventOf<'pull_request.updated'>['data']): string {
  if (state === 'merged') return 'Pull request merged'
  if (state === 'closed') return 'Pull request closed'
  if (checks === 'passed' || checks === 'failed') return `Pull request checks ${checks}`
  if (checks === 'pending') return 'Pull request checks running'
  return draft ? 'Draft pull request updated' : 'Pull request updated'
}
