import { type HostState, type Repository, toStableId } from '../host/host-state.ts'
import { toRunState, type WorkflowRun } from '../host/workflow-run.ts'
import { toGitHubTime, toNodeId } from './to-account.ts'
import { findCommits } from './to-commit.ts'
import { toRepository } from './to-repository.ts'

/** Returns GitHub's `workflow-run` object. */
export async function toWorkflowRun(state: HostState, repository: Repository, run: WorkflowRun) {
  const base = `${state.url}/api/v3/repos/${repository.full}/actions`
  const api = `${base}/runs/${run.id}`
  const shown = await toRepository(state, repository)
  const workflow = toStableId(run.path)
  return {
    id: run.id,
    name: run.title,
    node_id: toNodeId('WFR', run.id),
    head_branch: run.headBranch,
    head_sha: run.headSha,
    path: run.path,
    display_title: run.title,
    run_number: (run.id % 1000) + 1,
    run_attempt: 1,
    event: run.event,
    ...toRunState(run),
    workflow_id: workflow,
    url: api,
    html_url: `${state.url}/${repository.full}/actions/runs/${run.id}`,
    pull_requests: [],
    created_at: toGitHubTime(run.at),
    updated_at: toGitHubTime(run.at),
    jobs_url: `${api}/jobs`,
    logs_url: `${api}/logs`,
    check_suite_url: `${state.url}/api/v3/repos/${repository.full}/check-suites/${run.id}`,
    artifacts_url: `${api}/artifacts`,
    cancel_url: `${api}/cancel`,
    rerun_url: `${api}/rerun`,
    workflow_url: `${base}/workflows/${workflow}`,
    head_commit: await toHeadCommit(repository, run.headSha),
    repository: shown,
    head_repository: shown,
  }
}

async function toHeadCommit({ dir }: Repository, sha: string) {
  const [facts] = (await findCommits(dir, 1, sha)) ?? []
  if (!facts) return null
  return {
    id: facts.sha,
    tree_id: facts.tree,
    message: facts.message,
    timestamp: toGitHubTime(facts.committedAt),
    author: { name: facts.authorName, email: facts.authorEmail },
    committer: { name: facts.committerName, email: facts.committerEmail },
  }
}
