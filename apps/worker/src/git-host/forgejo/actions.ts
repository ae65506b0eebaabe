import { z } from 'zod'
import type { ChecksState, GitHost, WorkflowRun } from '../git-host.ts'
import { GitHostError } from '../git-host-error.ts'
import { combineChecks } from '../rest/combine-checks.ts'
import { type ForgejoRepository, readFile } from './repository.ts'

const Status = z.object({ statuses: z.array(z.object({ status: z.string() })).nullish() })
/** A task is one job of a run. All jobs of a run have its number. */
const Task = z.object({
  run_number: z.number().int(),
  head_branch: z.string(),
  head_sha: z.string(),
  display_title: z.string(),
  event: z.string(),
  status: z.string(),
  workflow_id: z.string(),
  url: z.string(),
})
const Tasks = z.object({ workflow_runs: z.array(Task).nullish() })

const STATES: Readonly<Record<string, ChecksState>> = {
  success: 'passed',
  warning: 'passed',
  skipped: 'passed',
  pending: 'pending',
}
const CONCLUSIONS: Readonly<Record<string, string>> = {
  success: 'success',
  failure: 'failure',
  cancelled: 'cancelled',
  skipped: 'skipped',
}
/** The host uses the first of these folders that exists. */
const FOLDERS = { forgejo: '.forgejo/workflows', gitea: '.gitea/workflows', github: '.github/workflows' }
const TASKS = 50

/** Builds the calls about commit statuses and Actions. */
export function buildActions(
  kind: 'forgejo' | 'gitea',
  repository: ForgejoRepository,
): Pick<GitHost, 'findChecks' | 'workflows'> {
  return {
    // The combined state is that of the newest status in some versions, so it is computed here.
    async findChecks({ commit, signal }) {
      try {
        const { statuses } = await readStatus(repository, commit, signal)
        return combineChecks((statuses ?? []).map(({ status }) => STATES[status] ?? 'failed'))
      } catch (error) {
        const isHidden = error instanceof GitHostError && ['forbidden', 'not_found'].includes(error.code)
        if (isHidden) return null
        throw error
      }
    },

    workflows: {
      findFile: (input) => findWorkflowFile(repository, input),

      async start({ workflow, ref, inputs, signal }) {
        const started = await repository.call({
          what: 'start the workflow',
          subject: `the workflow ${workflow}`,
          method: 'POST',
          path: `/actions/workflows/${encodeURIComponent(workflow)}/dispatches`,
          body: kind === 'forgejo' ? { ref, inputs, return_run_info: true } : { ref, inputs },
          schema: z.object({ run_number: z.number().int() }).optional(),
          signal,
        })
        return started?.run_number ?? null
      },

      sendEvent: async () => {
        throw new GitHostError('validation', 'The Git host has no repository events. Deploy with a workflow instead.')
      },

      async listRuns({ startedBy, signal }) {
        if (startedBy === 'event') return []
        const { workflow } = startedBy
        const tasks = await listTasks(repository, signal)
        const own = tasks.filter((one) => one.workflow_id === workflow && one.event === 'workflow_dispatch')
        return [...new Set(own.map((one) => one.run_number))].map((number) => toRun(number, own))
      },

      async getRun({ id, signal }) {
        const tasks = (await listTasks(repository, signal)).filter((one) => one.run_number === id)
        if (tasks.length > 0) return toRun(id, tasks)
        throw new GitHostError('not_found', `The workflow run ${id} is not one of the newest ${TASKS} jobs.`)
      },
    },
  }
}

export function readStatus(repository: ForgejoRepository, commit: string, signal: AbortSignal | undefined) {
  const path = `/commits/${commit}/status`
  return repository.call({ what: 'read the commit statuses', path, query: { limit: 50 }, schema: Status, signal })
}

interface WorkflowInput {
  readonly workflow: string
  readonly ref: string
  readonly signal?: AbortSignal | undefined
}

/** @throws GitHostError `not_found` */
export async function findWorkflowFile(
  repository: ForgejoRepository,
  { workflow, ref, signal }: WorkflowInput,
): Promise<Buffer | null> {
  const [first, second] = [FOLDERS.forgejo, FOLDERS.gitea]
  for (const folder of [first, second]) {
    const file = await readFile(repository, { path: `${folder}/${workflow}`, ref, signal }).catch((error: unknown) => {
      if (error instanceof GitHostError && error.code === 'not_found') return null
      throw error
    })
    if (file !== null) return file
  }
  return readFile(repository, { path: `${FOLDERS.github}/${workflow}`, ref, signal })
}

async function listTasks(repository: ForgejoRepository, signal: AbortSignal | undefined) {
  const { workflow_runs: tasks } = await repository.call({
    what: 'list the workflow runs',
    path: '/actions/tasks',
    query: { limit: TASKS },
    schema: Tasks,
    signal,
  })
  return tasks ?? []
}

/** A run has ended when all its jobs have, and failed when one of them has. */
function toRun(number: number, tasks: readonly z.infer<typeof Task>[]): WorkflowRun {
  const own = tasks.filter((one) => one.run_number === number)
  const ends = own.map((one) => CONCLUSIONS[one.status] ?? null)
  const failed = ends.find((one) => one === 'failure' || one === 'cancelled')
  const isDone = !ends.includes(null)
  const [task] = own
  return {
    id: number,
    headBranch: task?.head_branch ?? null,
    headSha: task?.head_sha ?? '',
    title: task?.display_title ?? '',
    status: isDone ? 'completed' : own.some((one) => one.status === 'running') ? 'in_progress' : 'queued',
    conclusion: isDone ? (failed ?? ends[0] ?? null) : null,
    url: task?.url ?? '',
  }
}
