import { z } from 'zod'

/** What each type of event says, with what is in its `data`: the list of the API reference. Later versions may add types. */
export const JOB_EVENT_TYPES: Readonly<Record<string, string>> = {
  'job.created': 'The job was accepted. `retryOf` when it repeats another one.',
  'job.started': 'A worker took it up.',
  'job.resumed': 'A worker goes on where another one stopped; `attempt`.',
  'job.released':
    'A worker gave it back: `reason` is `shutdown`, `waiting` or `error`; not tried again before `notBefore`.',
  'checkout.ready': 'The repository is there: `baseBranch` and `baseCommit`.',
  'policy.read': "The repository's own policy narrows what the job may do: `path`, and which version as `blob`.",
  'instructions.read':
    'The agent was shown instructions of the repository: `path`, which version as `blob`, its `bytes`, and whether it was `truncated`.',
  'phase.changed': '`phase`, as on the job.',
  'agent.said': '`text`: the beginning of what the agent wrote.',
  'tool.called': 'The agent used `tool` on `subject` (a path, or what it searched for).',
  'change.frozen': 'The work is done and checked; `commit` is what will be pushed.',
  'branch.pushed': '`branch` is on the Git host, at `commit`.',
  'message.received': 'A follow-up message was accepted; `messageId`.',
  'message.delivered': 'The agent was told a message while it was at work; `messageId`.',
  'job.continued': 'A run for as many follow-up messages as `messages` says begins.',
  'run.ended': 'A run ended (`outcome`), but the job goes on with messages that came too late for it.',
  'run.restarted': 'People pushed to the branch meanwhile (`reason`): the work begins anew on top of that.',
  'job.completed': 'The end: `outcome` and `prLink`.',
  'job.failed': 'The end: `outcome` and the failure `code`.',
  'job.archived': 'The job was archived.',
  'pull_request.updated':
    'The pull request was merged, closed or reopened, or its checks changed: `state`, `draft`, `checks`.',
  'deployment.finished': 'A deployment that the job caused ended: `statusId`, `status`, `summary`, `url`.',
}

/** One step of a job. `seq` counts from 1 without gaps; `type` is one of {@link JOB_EVENT_TYPES}. */
export const JobEvent = z.object({
  seq: z.number().int().positive(),
  type: z.string(),
  createdAt: z.iso.datetime({ precision: 3 }),
  data: z.record(z.string(), z.unknown()),
})
export type JobEvent = z.infer<typeof JobEvent>

export const JobEventPage = z.object({ events: z.array(JobEvent) })
export type JobEventPage = z.infer<typeof JobEventPage>
