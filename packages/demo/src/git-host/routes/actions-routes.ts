import { findBranchTip } from '../git/note-ref-updates.ts'
import { readDefaultBranch } from '../git/push-commit.ts'
import { findInGit } from '../git/run-git.ts'
import { type Repository, toStableId } from '../host/host-state.ts'
import { HttpError, notFound } from '../host/http-error.ts'
import type { WorkflowRun } from '../host/workflow-run.ts'
import { toNodeId } from '../represent/to-account.ts'
import { toWorkflowRun } from '../represent/to-workflow-run.ts'
import { readWorkflow, type WorkflowFile } from '../workflows/read-workflow.ts'
import { startRun } from '../workflows/start-run.ts'
import { paginate } from './paginate.ts'
import { archivedError } from './repository-routes.ts'
import { ok, type RepositoryContext, type RestRoutes } from './rest-route.ts'

const FOLDER = '.github/workflows'

/**
 * Routes that start workflows and return their runs. A run advances each time it is polled, so that
 * tests do not depend on time.
 */
export const actionsRoutes: RestRoutes = {
  'actions.createWorkflowDispatch': { access: 'repository', anyOf: ['actions:write'], handle: dispatchWorkflow },
  'repos.createDispatchEvent': { access: 'repository', anyOf: ['contents:write'], handle: dispatchEvent },
  'actions.getWorkflow': {
    access: 'repository',
    anyOf: ['actions:read'],
    handle: async ({ state, repository, params }) => {
      const { path, file } = await getWorkflow(repository, params.workflow_id)
      const id = toStableId(path)
      const api = `${state.url}/api/v3/repos/${repository.full}/actions/workflows/${id}`
      const html = `${state.url}/${repository.full}`
      const at = repository.record.createdAt
      return ok({
        id,
        node_id: toNodeId('W', id),
        name: file.name ?? path,
        path,
        state: 'active',
        created_at: at,
        updated_at: at,
        url: api,
        html_url: `${html}/blob/main/${path}`,
        badge_url: `${html}/actions/${path}/badge.svg`,
      })
    },
  },
  'actions.listWorkflowRuns': {
    access: 'repository',
    anyOf: ['actions:read'],
    handle: async (context) => {
      const { path } = await getWorkflow(context.repository, context.params.workflow_id)
      return listRuns(context, (run) => run.path === path)
    },
  },
  'actions.listWorkflowRunsForRepo': {
    access: 'repository',
    anyOf: ['actions:read'],
    handle: (context) => listRuns(context, () => true),
  },
  'actions.getWorkflowRun': {
    access: 'repository',
    anyOf: ['actions:read'],
    handle: async ({ state, repository, params }) => {
      const run = repository.record.workflowRuns?.find((one) => one.id === params.run_id)
      if (!run) throw notFound()
      run.asked += 1
      return ok(await toWorkflowRun(state, repository, run))
    },
  },
}

async function dispatchWorkflow({ state, repository, params, body }: RepositoryContext) {
  const request = body as { ref: string; inputs?: Record<string, unknown>; return_run_details?: boolean }
  const { record, dir } = repository
  if (record.archived) throw archivedError()
  const supportsDetails = record.knowsRunDetails !== false
  if (!supportsDetails && request.return_run_details !== undefined) {
    throw new HttpError(422, 'Invalid request.\n\n"return_run_details" is not a permitted key.')
  }
  const { path } = await getWorkflow(repository, params.workflow_id)
  const branch = request.ref.replace(/^refs\/heads\//, '')
  const sha = await findBranchTip(dir, branch)
  if (!sha) throw new HttpError(422, `No ref found for: ${request.ref}`)
  const text = await findInGit(dir, 'show', `${sha}:${path}`)
  const file = text === null ? null : readWorkflow(text)
  if (!file?.events.has('workflow_dispatch')) {
    throw new HttpError(422, "Workflow does not have 'workflow_dispatch' trigger")
  }
  const inputs = Object.fromEntries(Object.entries(request.inputs ?? {}).map(([key, value]) => [key, String(value)]))
  checkInputs(file, inputs)
  const title = (file.runName ?? file.name ?? path).replace(
    /\$\{\{ *inputs\.([\w-]+) *\}\}/g,
    (_, key: string) => inputs[key] ?? '',
  )
  const run = startRun(repository, {
    path,
    event: 'workflow_dispatch',
    title,
    headBranch: branch,
    headSha: sha,
    inputs,
  })
  state.save()
  if (!request.return_run_details) return { status: 204 }
  const { url, html_url } = await toWorkflowRun(state, repository, run)
  return ok({ workflow_run_id: run.id, run_url: url, html_url })
}

function checkInputs(file: WorkflowFile, inputs: Record<string, string>): void {
  const unexpected = Object.keys(inputs).filter((key) => !file.inputs.has(key))
  if (unexpected.length > 0) throw new HttpError(422, `Unexpected inputs provided: ${JSON.stringify(unexpected)}`)
  for (const [key, { required, hasDefault }] of file.inputs) {
    if (required && !hasDefault && !(key in inputs)) throw new HttpError(422, `Required input '${key}' not provided`)
  }
}

/**
 * Starts the workflows on the default branch that listen for the event. Succeeds even if no
 * workflow does.
 */
async function dispatchEvent({ state, repository, body }: RepositoryContext) {
  const { event_type: type, client_payload: payload } = body as { event_type: string; client_payload?: object }
  const { record, dir } = repository
  if (record.archived) throw archivedError()
  const branch = await readDefaultBranch(dir)
  const sha = await findBranchTip(dir, branch)
  const listed = sha ? await findInGit(dir, 'ls-tree', '--name-only', sha, `${FOLDER}/`) : null
  for (const path of (listed ?? '').split('\n').filter(Boolean)) {
    const file = readWorkflow((await findInGit(dir, 'show', `${sha}:${path}`)) ?? '')
    const listens = file.events.has('repository_dispatch') && (file.types === null || file.types.includes(type))
    if (!listens || !sha) continue
    const inputs = { client_payload: JSON.stringify(payload ?? {}) }
    startRun(repository, { path, event: 'repository_dispatch', title: type, headBranch: branch, headSha: sha, inputs })
  }
  state.save()
  return { status: 204 }
}

/** Finds a workflow by its file on the default branch. */
async function getWorkflow({ dir }: Repository, id: unknown): Promise<{ path: string; file: WorkflowFile }> {
  const path = `${FOLDER}/${String(id)}`
  const text = await findInGit(dir, 'show', `${await readDefaultBranch(dir)}:${path}`)
  if (text === null) throw notFound()
  return { path, file: readWorkflow(text) }
}

async function listRuns({ state, repository, query, url }: RepositoryContext, isWanted: (run: WorkflowRun) => boolean) {
  const runs = repository.record.workflowRuns ?? []
  for (const run of runs) run.listed += 1
  const found = runs
    .filter(isWanted)
    .filter((run) => run.listed > run.plan.unlistedFor)
    .filter((run) => query.event === undefined || run.event === query.event)
    .filter((run) => query.branch === undefined || run.headBranch === query.branch)
    .filter((run) => query.head_sha === undefined || run.headSha === query.head_sha)
    .reverse()
  const page = await paginate(url, query, found, (run) => toWorkflowRun(state, repository, run))
  return { ...page, body: { total_count: found.length, workflow_runs: page.body } }
}
