import { findBranchTip, readDefaultBranch } from '../git/refs.ts'
import { findInGit } from '../git/run-git.ts'
import { HttpError, notFound } from '../host/exchange.ts'
import { type HostState, type Repository, toStableId } from '../host/host-state.ts'
import type { WorkflowRun } from '../host/types.ts'
import { checkWritable } from './pull-routes.ts'
import { ok, type RepositoryContext, type RestRoutes, takePage, withPermission } from './route.ts'

const FOLDER = '.github/workflows'

/**
 * Routes that start workflows and return their runs. A run advances each time it is polled, so that
 * tests do not depend on time.
 */
export const actionsRoutes = {
  'actions.createWorkflowDispatch': withPermission(['actions:write'], dispatchWorkflow),
  'repos.createDispatchEvent': withPermission(['contents:write'], dispatchEvent),
  'actions.getWorkflow': withPermission(['actions:read'], async ({ repository, params }) => {
    const path = await getWorkflow(repository, params.workflow_id)
    return ok({ id: toStableId(path), path, state: 'active' })
  }),
  'actions.listWorkflowRuns': withPermission(['actions:read'], async (context) => {
    const path = await getWorkflow(context.repository, context.params.workflow_id)
    return listRuns(context, (run) => run.path === path)
  }),
  'actions.listWorkflowRunsForRepo': withPermission(['actions:read'], (context) => listRuns(context, () => true)),
  'actions.getWorkflowRun': withPermission(['actions:read'], ({ state, repository, params }) => {
    const run = repository.record.workflowRuns.find((one) => one.id === params.run_id)
    if (!run) throw notFound()
    run.asked += 1
    return ok(toRun(state, repository, run))
  }),
} satisfies RestRoutes

async function dispatchWorkflow({ state, repository, params, body }: RepositoryContext) {
  const request = body as { ref: string; inputs?: Record<string, unknown>; return_run_details?: boolean }
  const { record, dir } = repository
  checkWritable(repository)
  if (!record.knowsRunDetails && request.return_run_details !== undefined) {
    throw new HttpError(422, 'Invalid request.\n\n"return_run_details" is not a permitted key.')
  }
  const path = await getWorkflow(repository, params.workflow_id)
  const headBranch = request.ref.replace(/^refs\/heads\//, '')
  const headSha = await findBranchTip(dir, headBranch)
  if (!headSha) throw new HttpError(422, `No ref found for: ${request.ref}`)
  const file = (await findInGit(dir, 'show', `${headSha}:${path}`)) ?? ''
  const trigger = findTrigger(file, 'workflow_dispatch')
  if (trigger === null) throw new HttpError(422, "Workflow does not have 'workflow_dispatch' trigger")
  const inputs = Object.fromEntries(Object.entries(request.inputs ?? {}).map(([key, value]) => [key, String(value)]))
  const unexpected = Object.keys(inputs).filter((key) => !trigger.includes(`\n      ${key}:`))
  if (unexpected.length > 0) throw new HttpError(422, `Unexpected inputs provided: ${JSON.stringify(unexpected)}`)
  const runName = /^run-name: (.*)$/m.exec(file)?.[1] ?? path
  const title = runName.replace(/\$\{\{ *inputs\.([\w-]+) *\}\}/g, (_, key: string) => inputs[key] ?? '')
  const run = startRun(repository, { path, event: 'workflow_dispatch', title, headBranch, headSha, inputs })
  state.save()
  return request.return_run_details ? ok({ workflow_run_id: run.id }) : { status: 204 }
}

/**
 * Starts the workflows on the default branch that listen for the event. Succeeds even if no
 * workflow does.
 */
async function dispatchEvent({ state, repository, body }: RepositoryContext) {
  const { event_type: title, client_payload: payload = {} } = body as { event_type: string; client_payload?: object }
  const { dir } = repository
  checkWritable(repository)
  const headBranch = await readDefaultBranch(dir)
  const headSha = (await findBranchTip(dir, headBranch)) ?? ''
  const listed = await findInGit(dir, 'ls-tree', '--name-only', headSha, `${FOLDER}/`)
  for (const path of (listed ?? '').split('\n').filter(Boolean)) {
    const trigger = findTrigger((await findInGit(dir, 'show', `${headSha}:${path}`)) ?? '', 'repository_dispatch')
    const types = /types: \[(.*)\]/.exec(trigger ?? '')?.[1]?.split(/, */)
    if (trigger === null || types?.includes(title) === false) continue
    const inputs = { client_payload: JSON.stringify(payload) }
    startRun(repository, { path, event: 'repository_dispatch', title, headBranch, headSha, inputs })
  }
  state.save()
  return { status: 204 }
}

/**
 * Returns the settings of an event that starts a workflow, or null if the event does not. Supports
 * the YAML that tests use: `on:` with a list in brackets, or with keys that are indented by two.
 */
function findTrigger(file: string, event: string): string | null {
  const block = new RegExp(`^ {2}${event}:(.*(?:\\n {4,}.*)*)`, 'm').exec(file)?.[1]
  return block ?? (new RegExp(`^on:.*\\b${event}\\b`, 'm').test(file) ? '' : null)
}

/** Starts a run with the repository's plan. IDs are ascending, as on GitHub. */
function startRun(
  { full, record }: Repository,
  run: Pick<WorkflowRun, 'path' | 'event' | 'title' | 'headBranch' | 'headSha' | 'inputs'>,
): WorkflowRun {
  const id = toStableId(`${full} runs`) * 1000 + record.workflowRuns.length
  const started: WorkflowRun = { ...run, id, plan: record.runPlan, asked: 0, listed: 0 }
  record.workflowRuns.push(started)
  return started
}

/** Finds a workflow by its file on the default branch. */
async function getWorkflow({ dir }: Repository, id: unknown): Promise<string> {
  const path = `${FOLDER}/${String(id)}`
  if ((await findInGit(dir, 'cat-file', '-e', `${await readDefaultBranch(dir)}:${path}`)) === null) throw notFound()
  return path
}

function listRuns({ state, repository, query }: RepositoryContext, isWanted: (run: WorkflowRun) => boolean) {
  const runs = repository.record.workflowRuns
  for (const run of runs) run.listed += 1
  const found = runs
    .filter((run) => isWanted(run) && run.listed > run.plan.unlistedFor)
    .filter((run) => query.event === undefined || run.event === query.event)
    .reverse()
  const shown = takePage(query, found).map((run) => toRun(state, repository, run))
  return ok({ total_count: found.length, workflow_runs: shown })
}

function toRun(state: HostState, { full }: Repository, { asked, plan, ...run }: WorkflowRun) {
  const isDone = asked > plan.endsAfter
  return {
    id: run.id,
    head_branch: run.headBranch,
    head_sha: run.headSha,
    display_title: run.title,
    event: run.event,
    status: isDone ? 'completed' : asked > 1 ? 'in_progress' : 'queued',
    conclusion: isDone ? plan.conclusion : null,
    html_url: `${state.url}/${full}/actions/runs/${run.id}`,
  }
}
