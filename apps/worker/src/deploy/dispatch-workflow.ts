import type { DeployTarget } from '@corrigenda/contracts'
import type { DeploymentOutcome } from '@corrigenda/core/deployments'
import { parse } from 'yaml'
import { z } from 'zod'
import type { GitHost, Workflows } from '../git-host/git-host.ts'
import { GitHostError } from '../git-host/git-host-error.ts'
import { type DeployCommitStep, DeployFailure } from './deploy-step.ts'
import { dispatchRun } from './dispatch-run.ts'

type WorkflowTarget = Extract<DeployTarget, { kind: 'workflow_dispatch' }>

/**
 * Input that a workflow may declare to receive the deployment id. If the workflow includes it in
 * `run-name`, its run can be identified reliably.
 */
const CORRELATION_INPUT = 'corrigenda_status_id'
/** Input that a workflow must declare to publish previews. It receives the branch. */
const PREVIEW_INPUT = 'corrigenda_preview_branch'
/** GitHub's limit on the number of inputs. */
const MAX_INPUTS = 25

/**
 * Deploys with a workflow that users can also start manually (`on: workflow_dispatch`). The file of
 * the base branch, or of the target's `ref`, also publishes previews.
 */
export async function dispatchWorkflow(step: DeployCommitStep, target: WorkflowTarget): Promise<DeploymentOutcome> {
  const { deps, repository, signal } = step
  const { credentials } = deps
  const { workflow } = target
  using gitHost = await deps.openGitHost({ credentials, repository, access: 'deploy', signal })
  const { workflows } = gitHost
  const ref = target.ref ?? (await getBaseBranch(step, gitHost))
  return await dispatchRun(step, gitHost, {
    what: `the workflow ${workflow} on ${ref}`,
    async send() {
      const declared = await listInputs(workflows, { workflow, ref })
      return workflows.start({ workflow, ref, inputs: buildInputs(step, { target, ref, declared }) })
    },
    async listRuns() {
      const runs = await workflows.listRuns({ startedBy: { workflow } })
      return runs.filter((run) => run.headBranch === ref)
    },
    explain: (error) => explainRejection(error, repository.path, workflow, ref),
    unseen: {
      status: 'failure',
      summary: `The Git host does not list a run of the workflow ${workflow} on ${ref}. Check that GitHub Actions is enabled for the repository and that the credential has actions: write.`,
    },
  })
}

async function getBaseBranch({ claim, commit }: DeployCommitStep, gitHost: GitHost): Promise<string> {
  if (claim.preview === null) return commit.ref
  return claim.baseBranch ?? (await gitHost.getRepository()).defaultBranch
}

/** @throws DeployFailure if the workflow cannot know that it publishes a preview */
function buildInputs(
  { claim }: DeployCommitStep,
  { target, ref, declared }: { target: WorkflowTarget; ref: string; declared: ReadonlySet<string> },
): Record<string, string> {
  const { workflow } = target
  const inputs: Record<string, string> = { ...target.inputs }
  if (claim.preview !== null) {
    if (!declared.has(PREVIEW_INPUT)) {
      throw new DeployFailure(
        `The workflow ${workflow} does not exist on ${ref} or has no input ${PREVIEW_INPUT}. Without it, the workflow would publish ${ref} instead of a preview. Declare the input, and publish the branch that it contains.`,
      )
    }
    inputs[PREVIEW_INPUT] = claim.preview.branch
  }
  if (declared.has(CORRELATION_INPUT) && Object.keys(inputs).length < MAX_INPUTS) {
    inputs[CORRELATION_INPUT] = claim.statusId
  }
  return inputs
}

function explainRejection(error: GitHostError, repository: string, workflow: string, ref: string): string {
  switch (error.code) {
    case 'forbidden':
      return `The credential cannot start workflows in ${repository}. Grant it actions: write.`
    case 'not_found':
      return `${repository} has no workflow ${workflow} on its default branch, or the credential has no access to it. Correct the deploy target, or grant actions: write.`
    case 'validation':
      return `${error.message} The workflow ${workflow} needs a workflow_dispatch trigger on ${ref} that declares the deploy target's inputs, and the credential needs actions: write.`
    default:
      return error.message
  }
}

const MAX_BYTES = 256 * 1024

const Declares = z.object({
  on: z.object({ workflow_dispatch: z.object({ inputs: z.record(z.string(), z.unknown()) }) }),
})

/**
 * Returns the names of the inputs that the workflow declares at the ref, because GitHub rejects a
 * dispatch with an undeclared input. Empty if the file cannot be read: the dispatch that follows
 * reports the error.
 */
async function listInputs(
  workflows: Workflows,
  input: { workflow: string; ref: string },
): Promise<ReadonlySet<string>> {
  try {
    const file = await workflows.findFile(input)
    return file === null ? new Set() : readInputs(file)
  } catch (error) {
    if (error instanceof GitHostError && error.code !== 'aborted') return new Set()
    throw error
  }
}

/** Returns the names of the inputs that a workflow file declares; empty for an unreadable file. */
export function readInputs(file: Buffer): ReadonlySet<string> {
  if (file.length > MAX_BYTES) return new Set()
  try {
    const declared = Declares.safeParse(parse(file.toString('utf8'), { logLevel: 'silent' }))
    return new Set(Object.keys(declared.data?.on.workflow_dispatch.inputs ?? {}))
  } catch {
    return new Set()
  }
}
