import type { WorkflowRun } from '../workflows.ts'

export function toWorkflowRun(run: {
  id: number
  head_branch: string | null
  head_sha: string
  display_title: string
  status: string | null
  conclusion: string | null
  html_url: string
}): WorkflowRun {
  return {
    id: run.id,
    headBranch: run.head_branch,
    headSha: run.head_sha,
    title: run.display_title,
    status: run.status,
    conclusion: run.conclusion,
    url: run.html_url,
  }
}
