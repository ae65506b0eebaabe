import type { ProjectSource } from '@corrigenda/contracts'
import { getProjectSettings, toRepositoryUrl, updateProjectSettings } from '@corrigenda/core/projects'
import type { DeclaredProject } from './declaration.ts'
import type { PartPlan, PlanDeps, PlannedProject, Step } from './plan.ts'
import { planToken } from './plan-token.ts'
import { toFieldChanges } from './to-field-changes.ts'

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
      return undefined
    },
  }
}

function toUrl({ access, read }: PlanDeps, url: string, field: readonly PropertyKey[]): string {
  try {
    return toRepositoryUrl(url, access.allowedRepositoryHosts)
  } catch (error) {
    throw read.toError(field, `is not valid. ${(error as Error).message}`)
  }
}
