import { type ProjectSource, SaveCredentialRequest } from '@corrigenda/contracts'
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
import { getProjectSettings, toRepositoryUrl, updateProjectSettings } from '@corrigenda/core/projects'
import type { DeclaredProject, SecretReference } from './declaration.ts'
import {
  describeReference,
  type PartPlan,
  type PlanDeps,
  type PlannedProject,
  resolveSecret,
  type Step,
  toFieldChanges,
} from './plan.ts'
import type { FieldPath } from './read-declaration.ts'

/** Plans the changes of a project's sources and of their tokens. */
export async function planSources(
  deps: PlanDeps,
  project: PlannedProject,
  { sources: declared, token: projectToken }: Pick<DeclaredProject, 'sources' | 'token'>,
): Promise<PartPlan> {
  if (declared === undefined) return { steps: [], kept: [] }
  const settings = project.id === null ? null : await getProjectSettings(deps.access, project.id)
  const known = settings?.sources ?? []
  const steps: Step[] = []
  const tokens: Step[] = []
  for (const [index, { token, ...source }] of declared.entries()) {
    const at = [...project.at, 'sources', index]
    const wanted = { ...source, repository: toUrl(deps, source.repository, [...at, 'repository']) }
    const { name, repository } = wanted
    const before = known.find((one) => one.name === name)
    const credential = settings?.sourceCredentials.find((one) => one.source === name)
    // An owner chose the repository. To declare it gives it the credentials of the instance.
    const isGranted = credential?.kind === 'none' && !token && !projectToken
    const fields = [
      ...toFieldChanges({ ...before }, before === undefined ? { repository } : wanted),
      ...(isGranted ? [{ field: 'credential', before: 'none', after: 'instance' }] : []),
    ]
    if (fields.length > 0) steps.push(toStep(before === undefined ? 'create' : 'update', wanted, fields))
    tokens.push(...(await planToken(deps, { ...project, at }, { declared: token, repository, source: name })))
  }
  const undeclared = known.filter(({ name }) => !declared.some((one) => one.name === name))
  const removals = deps.prune ? undeclared.map((source) => toStep('remove', source, [])) : []
  return {
    steps: [...removals, ...steps, ...tokens],
    kept: deps.prune ? [] : undeclared.map(({ name }) => `source ${name}`),
  }
}

/** The step reads the sources again, because steps before it change them, too. */
function toStep(action: Step['action'], source: ProjectSource, fields: Step['fields']): Step {
  return {
    action,
    subject: `source ${source.name}`,
    fields,
    async run({ access, projectId }) {
      const { sources } = await getProjectSettings(access, projectId)
      const others = sources.filter(({ name }) => name !== source.name)
      const change = { sources: action === 'remove' ? others : [...others, source] }
      await updateProjectSettings(access, { projectId, change, untouchedSources: others.map(({ name }) => name) })
    },
  }
}

/** @throws ConfigError if no project may have this repository */
export function toUrl({ access, read }: PlanDeps, url: string, field: readonly PropertyKey[]): string {
  try {
    return toRepositoryUrl(url, access.allowedRepositoryHosts)
  } catch (error) {
    throw read.toError(field, `is not valid. ${(error as Error).message}`)
  }
}

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
