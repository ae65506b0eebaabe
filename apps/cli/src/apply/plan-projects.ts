import { listProjects } from '@corrigenda/core/projects'
import type { DeclaredProject } from './declaration.ts'
import type { PlanDeps, ProjectPlan } from './plan.ts'
import { planKeys } from './plan-keys.ts'
import { planMembers } from './plan-members.ts'
import { planSettings } from './plan-settings.ts'
import { planSources, planToken, toUrl } from './plan-sources.ts'
import { planWebhooks } from './plan-webhooks.ts'
import type { FieldPath } from './read-declaration.ts'

type ProjectRow = Awaited<ReturnType<typeof listProjects>>[number]

/** Compares the declared projects with the stored ones. Writes nothing. */
export async function planProjects(deps: PlanDeps): Promise<ProjectPlan[]> {
  const rows = await listProjects(deps.access)
  const plans: ProjectPlan[] = []
  for (const [index, declared] of deps.read.declaration.projects.entries()) {
    plans.push(await planProject(deps, { declared, rows, at: ['projects', index] }))
  }
  return plans
}

async function planProject(
  deps: PlanDeps,
  input: { readonly declared: DeclaredProject; readonly rows: readonly ProjectRow[]; readonly at: FieldPath },
): Promise<ProjectPlan> {
  const { at } = input
  const declared = { ...input.declared, repository: toUrl(deps, input.declared.repository, [...at, 'repository']) }
  const { name, repository } = declared
  const id = findProject(deps, input)
  const project = { id, at }
  const token = { declared: declared.token, repository, source: null }
  // The order matters: a token is stored for the host of the repository that the settings name.
  const settings = await planSettings(deps, project, declared)
  const tokens = await planToken(deps, project, token)
  const parts = [
    await planSources(deps, project, declared),
    await planKeys(deps, project, declared),
    await planWebhooks(deps, project, declared),
    await planMembers(deps, project, declared),
  ]
  return {
    name,
    repository,
    id,
    steps: [...settings, ...tokens, ...parts.flatMap(({ steps }) => steps)],
    kept: parts.flatMap(({ kept }) => kept),
  }
}

/** @throws ConfigError if the project cannot be identified */
function findProject(
  { read }: PlanDeps,
  {
    declared,
    rows,
    at,
  }: { readonly declared: DeclaredProject; readonly rows: readonly ProjectRow[]; readonly at: FieldPath },
): string | null {
  if (declared.id !== undefined) {
    if (rows.some(({ id }) => id === declared.id)) return declared.id
    throw read.toError([...at, 'id'], 'is not the ID of a project. Remove it to create the project.')
  }
  const found = rows.filter(({ name }) => name === declared.name)
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(' and ')
    throw read.toError([...at, 'name'], `is the name of several projects. Set id to ${ids}.`)
  }
  return found[0]?.id ?? null
}
