import { z } from 'zod'
import { JobOutcome, JobPhase, PullRequestChecks, PullRequestState } from './agent-job.ts'

const position = { seq: z.number().int().positive(), createdAt: z.iso.datetime({ precision: 3 }) }

const event = <const Type extends string, Data extends z.ZodObject | z.ZodUnion>(
  type: Type,
  data: Data,
  meaning: string,
) => z.object({ ...position, type: z.literal(type), data }).describe(meaning)

const none = z.object({})
const attempt = z.object({ attempt: z.number().int() })
const message = z.object({ messageId: z.string() })
/** Why a comment on a pull request starts no follow-up. */
export const RemarkIgnored = z.enum(['no_permission', 'bot', 'person_pushed', 'refused', 'budget'])
export type RemarkIgnored = z.infer<typeof RemarkIgnored>

/** The outcomes of a failed job. A job with another outcome is completed. */
const FAILED = ['failed', 'cancelled'] as const
const completed = z.object({
  outcome: JobOutcome.exclude(FAILED),
  prLink: z.string().nullable(),
})
const failed = z.object({ outcome: JobOutcome.extract(FAILED), code: z.string() })

/**
 * One step of a job, as written by this version. `seq` counts from 1 without gaps. Later versions
 * may add types.
 */
export const JobEvent = z.discriminatedUnion('type', [
  event(
    'job.created',
    z.object({ retryOf: z.string().optional() }),
    'The job was accepted. `retryOf` is set if it retries another job.',
  ),
  event('job.started', attempt, 'A worker started the job. `attempt` is the number of this attempt.'),
  event(
    'job.resumed',
    attempt.extend({ silentMs: z.number().int().optional() }),
    'A worker resumed the interrupted job. `attempt` is the number of this attempt. `silentMs` is set if the previous worker was lost: the time in ms since it last reported.',
  ),
  event(
    'job.released',
    z.object({ reason: z.enum(['shutdown', 'waiting', 'error']), notBefore: z.string().nullable() }),
    'A worker released the job. `reason` is `shutdown`, `waiting` or `error`. No worker resumes the job before `notBefore`.',
  ),
  event(
    'checkout.ready',
    z.object({ baseBranch: z.string(), baseCommit: z.string() }),
    'The repository was checked out at `baseCommit`, the tip of `baseBranch`.',
  ),
  event(
    'policy.read',
    z.object({ path: z.string(), blob: z.string() }),
    "The repository's policy file restricts the job. `path` is its path, and `blob` is its version.",
  ),
  event(
    'instructions.read',
    z.object({
      path: z.string(),
      blob: z.string().optional(),
      bytes: z.number().int().optional(),
      truncated: z.boolean(),
    }),
    'The agent received instructions from the file `path` in the repository. `blob` is the version of the file, and `bytes` is its size. `truncated` is true if the instructions were shortened.',
  ),
  event(
    'prompt.shortened',
    z.object({ characters: z.number().int(), omitted: z.number().int() }),
    'A prompt or message with `characters` characters is too long for the model. The agent received its beginning and its end, without `omitted` characters in the middle.',
  ),
  event('phase.changed', z.object({ phase: JobPhase }), 'The job entered the phase `phase`.'),
  event(
    'agent.said',
    z.object({ text: z.string() }),
    'The agent wrote a message. `text` is the beginning of the message.',
  ),
  event(
    'tool.called',
    z.object({
      tool: z.string(),
      subject: z.string().nullable(),
      target: z.string().optional(),
      source: z.string().optional(),
    }),
    'The agent used `tool` on `subject` (a path or a search query). `target` is the new path of a move, or the new text of a heading. `source` is the name of the source that the call reads. Job tokens do not receive the `subject` of such a call.',
  ),
  event(
    'change.frozen',
    z.object({ commit: z.string() }),
    'The change is complete and checked. `commit` will be pushed.',
  ),
  event(
    'branch.pushed',
    z.object({ branch: z.string(), commit: z.string() }),
    '`branch` was pushed to the Git host at `commit`.',
  ),
  event('message.received', message, 'The follow-up message `messageId` was accepted.'),
  event('message.delivered', message, 'The agent received the message `messageId` while it was working.'),
  event(
    'job.continued',
    z.object({ messages: z.number().int() }),
    'A run for follow-up messages started. `messages` is the number of messages.',
  ),
  event(
    'run.ended',
    z.union([completed, failed]),
    'A run ended with `outcome`. The job continues with messages that arrived too late for this run.',
  ),
  event(
    'run.restarted',
    z.object({ reason: z.literal('branch_moved') }),
    'The run restarted. The `reason` is `branch_moved`: someone else pushed to the branch. The new run continues on top of those commits.',
  ),
  event('job.completed', completed, 'The job ended with `outcome`. `prLink` is the URL of its pull request, or null.'),
  event('job.failed', failed, 'The job failed or was cancelled (`outcome`). `code` is the failure code.'),
  event('job.archived', none, 'The job was archived.'),
  event('job.unarchived', none, 'The job is no longer archived.'),
  event(
    'pull_request.updated',
    z.object({ state: PullRequestState, draft: z.boolean(), checks: PullRequestChecks.nullable() }),
    'The pull request was merged, closed or reopened, or its checks changed. `state`, `draft` and `checks` are the current values.',
  ),
  event(
    'remark.received',
    z.object({
      author: z.string(),
      path: z.string().nullable(),
      line: z.number().int().nullable(),
      ignored: RemarkIgnored.nullable(),
    }),
    'A comment or a review on the pull request addresses the agent. `path` and `line` are its location, or null. `ignored` is null if it starts a follow-up, or the reason why it does not: `no_permission` (the author cannot write to the repository), `bot`, `person_pushed` (a person has pushed to the branch, so only a mention counts), `refused` (the job accepts no follow-ups) or `budget`.',
  ),
  event(
    'remark.answered',
    z.object({ commit: z.string().nullable() }),
    'The comments of a follow-up were answered on the pull request. `commit` is the commit of the follow-up, or null if nothing changed.',
  ),
  event(
    'deployment.finished',
    z.object({
      statusId: z.string(),
      status: z.enum(['success', 'failure']),
      summary: z.string(),
      url: z.string().nullable(),
    }),
    'A deployment that the job caused has ended. `statusId` identifies the deployment. `status`, `summary` and `url` describe the result.',
  ),
])
export type JobEvent = z.infer<typeof JobEvent>
export type JobEventType = JobEvent['type']
export type JobEventOf<Type extends JobEventType> = Extract<JobEvent, { type: Type }>

/** An event that has not yet been assigned a position in its job. */
export type NewJobEvent = { [Type in JobEventType]: Pick<JobEventOf<Type>, 'type' | 'data'> }[JobEventType]

/** Descriptions of all types, for the API reference. */
export const JOB_EVENT_TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  JobEvent.options.map((option) => [option.shape.type.value, option.description ?? '']),
)

/**
 * Types of events that end a job. Only events about its pull request, its deployments or archiving
 * can follow, unless a new request continues the job.
 */
export const FINAL_JOB_EVENTS: ReadonlySet<string> = new Set<JobEventType>([
  'job.completed',
  'job.failed',
  'job.archived',
])

/**
 * An event as stored and sent. Its type is a plain string, because a reader may be older than the
 * writer.
 */
export const JobEventRecord = z.object({
  seq: position.seq,
  type: z.string(),
  createdAt: position.createdAt,
  data: z.record(z.string(), z.unknown()),
})
export type JobEventRecord = z.infer<typeof JobEventRecord>

export const JobEventPage = z.object({ events: z.array(JobEventRecord) })
export type JobEventPage = z.infer<typeof JobEventPage>

/**
 * Returns the typed form of a stored event, or null if this version does not support its type or
 * data.
 */
export function findJobEvent(record: JobEventRecord): JobEvent | null {
  return JobEvent.safeParse(record).data ?? null
}
