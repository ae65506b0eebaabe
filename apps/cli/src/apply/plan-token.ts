import { SaveCredentialRequest } from '@corrigenda/contracts'
import {
  deleteGitCredential,
  deleteSourceCredential,
  findStoredCredential,
  loadSourceCredential,
  SealedCredentialError,
  type StoredCredential,
  saveGitCredential,
  saveSourceCredential,
} from '@corrigenda/core/credentials'
import type { SecretReference } from './declaration.ts'
import type { PlanDeps, PlannedProject, Step } from './plan.ts'
import type { FieldPath } from './read-declaration.ts'
import { describeReference, resolveSecret } from './resolve-secret.ts'

/**
 * Plans the change of an access token of a project or of one of its sources.
 * @param input.declared null for no token, undefined for one that is not managed
 * @param input.source null for the project's token
 * @throws ConfigError for a token that is missing or malformed
 */
export async function planToken(
  deps: PlanDeps,
  { id, at }: PlannedProject,
  input: {
    readonly declared: SecretReference | null | undefined
    readonly repository: string
    readonly source: string | null
  },
): Promise<Step[]> {
  const { declared, repository, source } = input
  if (declared === undefined) return []
  const stored = id === null ? null : await findToken(deps, id, source)
  const subject = source === null ? 'token' : `token of source ${source}`
  if (declared === null) {
    if (stored === null) return []
    return [
      {
        action: 'remove',
        subject,
        fields: [],
        async run({ access, projectId }) {
          await (source === null
            ? deleteGitCredential(access, projectId)
            : deleteSourceCredential(access, { projectId, source }))
          return undefined
        },
      },
    ]
  }
  const token = toToken(deps, declared, [...at, 'token'])
  if (stored !== null && stored !== 'sealed' && stored.token === token && stored.host === new URL(repository).host) {
    return []
  }
  const fields = [{ field: 'value', before: stored && 'another value', after: describeReference(declared) }]
  return [
    {
      action: stored === null ? 'create' : 'update',
      subject,
      fields,
      async run({ access, projectId }) {
        await (source === null
          ? saveGitCredential(access, { projectId, token })
          : saveSourceCredential(access, { projectId, source, token }))
        return undefined
      },
    },
  ]
}

type StoredToken = Extract<StoredCredential, { kind: 'token' }>

/** Returns the stored token; `sealed` if it cannot be decrypted. */
async function findToken(
  { access }: PlanDeps,
  projectId: string,
  source: string | null,
): Promise<StoredToken | 'sealed' | null> {
  try {
    if (source !== null) return await loadSourceCredential(access, { projectId, source })
    const found = await findStoredCredential(access, projectId)
    return found?.kind === 'token' ? found : null
  } catch (error) {
    if (!(error instanceof SealedCredentialError)) throw error
    return error.what === 'token' ? 'sealed' : null
  }
}

function toToken({ env, read }: PlanDeps, reference: SecretReference, field: FieldPath): string {
  const parsed = SaveCredentialRequest.safeParse({ token: resolveSecret({ ...read, env }, reference, field) })
  if (parsed.success) return parsed.data.token
  throw read.toError(field, `${parsed.error.issues[0]?.message ?? 'is not valid'}.`)
}
