import { type ConnectionCheckContext, type Found, failed, passed, skipped } from './connection-check-context.ts'
import { exposesSecrets } from './exposes-secrets.ts'

const FOLDER = '.github/workflows'
const SHOWN = 5

/**
 * Tests whether workflows run with secrets on the branches that jobs push, before anyone has
 * reviewed the change.
 */
export async function testWorkflowSecrets(context: ConnectionCheckContext): Promise<Found> {
  const { gitHost, commit, connection } = context
  if (!gitHost || commit === undefined) return skipped('Skipped because the base branch is unknown.')
  const files = await gitHost.readFolder({ path: FOLDER, ref: commit })
  const exposed = files.filter(
    ({ name, bytes }) =>
      /\.ya?ml$/i.test(name) && exposesSecrets(new TextDecoder().decode(bytes), `${connection.branchPrefix}job_1`),
  )
  if (exposed.length === 0) return passed('No workflow runs with secrets on the branches that jobs push.')
  const names = exposed.slice(0, SHOWN).map(({ name }) => name)
  const more = exposed.length > SHOWN ? ` and ${exposed.length - SHOWN} more` : ''
  return failed(
    `Jobs work, but workflows run with secrets on their branches before a review: ${names.join(', ')}${more}. Exclude the branches ${connection.branchPrefix}** from their triggers, or move the secrets to an environment that requires approval.`,
  )
}
