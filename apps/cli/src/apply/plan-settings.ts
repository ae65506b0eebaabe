import { isDeepStrictEqual } from 'node:util'
import {
  DEFAULT_PROJECT_BUDGETS,
  DEFAULT_PROJECT_POLICY,
  type DeployTarget,
  type ProjectSettings,
  type UpdateProjectSettings,
} from '@corrigenda/contracts'
import {
  describeDeployTarget,
  findDeployTarget,
  getProjectSettings,
  toDeployTarget,
  updateProjectSettings,
} from '@corrigenda/core/projects'
import type { DeclaredProject, DeclaredTarget } from './declaration.ts'
import {
  type FieldChange,
  type PlanDeps,
  type PlannedProject,
  resolveSecret,
  type Step,
  toFieldChanges,
} from './plan.ts'
import type { FieldPath } from './read-declaration.ts'

/** Plans the change of a project's name, repository and settings, without its sources. */
export async function planSettings(
  deps: PlanDeps,
  { id, at }: PlannedProject,
  declared: Pick<DeclaredProject, 'name' | 'repository' | 'settings'>,
): Promise<Step[]> {
  const { settings, name, repository } = declared
  const { deployTarget: declaredTarget, ...others } = settings
  const current = id === null ? null : await getProjectSettings(deps.access, id)
  const fields = toFieldChanges(current === null ? toFlat(DEFAULTS) : toFlat(toChange(current)), {
    ...toFlat(others),
    ...(current === null ? {} : { name, repository }),
  })
  const target =
    declaredTarget == null
      ? declaredTarget
      : toTarget(deps, declaredTarget, [...at, 'settings', 'deployTarget'], id ?? '')
  const stored = id === null ? null : await findTarget(deps, id)
  const moved = target === undefined || isDeepStrictEqual(stored, target) ? [] : [toTargetChange(stored, target)]
  const all = [...fields, ...moved]
  if (all.length === 0) return []
  const change: UpdateProjectSettings = {
    ...others,
    name,
    repository,
    ...(target === undefined ? {} : { deployTarget: target }),
  }
  return [
    {
      action: 'update',
      subject: 'settings',
      fields: all,
      run: ({ access, projectId }) => updateProjectSettings(access, { projectId, change }),
    },
  ]
}

/** The settings that are compared by value. */
type Compared = Required<Omit<UpdateProjectSettings, 'sources' | 'deployTarget'>>

/** The settings as a change that would set them. */
function toChange(current: ProjectSettings): Compared {
  const { name, repository, baseBranch, budgets, policy, retention } = current
  const { deployOnMerge, deleteBranchOnClose, previewUrlTemplate, monthlySpend } = current
  return {
    name,
    repository,
    baseBranch,
    budgets,
    policy,
    retention,
    deployOnMerge,
    deleteBranchOnClose,
    previewUrlTemplate,
    monthlyBudgetUsd: monthlySpend.budgetUsd,
  }
}

/** The settings of a new project. */
const DEFAULTS: Omit<Compared, 'name' | 'repository'> = {
  baseBranch: null,
  budgets: null,
  policy: null,
  retention: null,
  deployOnMerge: null,
  deleteBranchOnClose: null,
  previewUrlTemplate: null,
  monthlyBudgetUsd: null,
}

const DEFAULT_RETENTION = { transcriptDays: null, jobDays: null }

/** Returns a change as one level of fields, with the defaults in place of null. */
function toFlat(change: UpdateProjectSettings): Record<string, unknown> {
  const { budgets, policy, retention, deployOnMerge, deleteBranchOnClose, ...others } = change
  return {
    ...others,
    deployOnMerge: deployOnMerge === null ? false : deployOnMerge,
    deleteBranchOnClose: deleteBranchOnClose === null ? false : deleteBranchOnClose,
    ...toGroup('budgets', budgets, DEFAULT_PROJECT_BUDGETS),
    ...toGroup('policy', policy, DEFAULT_PROJECT_POLICY),
    ...toGroup('retention', retention, DEFAULT_RETENTION),
  }
}

function toGroup(group: string, change: object | null | undefined, defaults: object): Record<string, unknown> {
  const values = change === null ? defaults : (change ?? {})
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      `${group}.${name}`,
      value === null ? defaults[name as keyof typeof defaults] : value,
    ]),
  )
}

/** @throws ConfigError for a target that cannot be stored */
function toTarget(deps: PlanDeps, declared: DeclaredTarget, field: FieldPath, projectId: string): DeployTarget {
  const context = { ...deps.read, env: deps.env }
  const resolved =
    declared.kind === 'hook'
      ? { ...declared, url: resolveSecret(context, declared.url, [...field, 'url']) }
      : declared.kind === 'workflow_dispatch' && declared.inputs !== undefined
        ? {
            ...declared,
            inputs: Object.fromEntries(
              Object.entries(declared.inputs).map(([name, value]) => [
                name,
                typeof value === 'string' ? value : resolveSecret(context, value, [...field, 'inputs', name]),
              ]),
            ),
          }
        : declared
  try {
    return toDeployTarget(resolved, { allowedHosts: deps.access.allowedHookHosts, projectId })
  } catch (error) {
    throw deps.read.toError(field, `is not valid. ${(error as Error).message}`)
  }
}

async function findTarget({ access }: PlanDeps, id: string): Promise<DeployTarget | null> {
  const project = await access.prisma.project.findUniqueOrThrow({ where: { id }, select: { deployTarget: true } })
  return findDeployTarget(access.deployTargetKey, id, project.deployTarget)
}

/** URLs, inputs and payloads may contain secrets, so the change contains only descriptions. */
function toTargetChange(stored: DeployTarget | null, target: DeployTarget | null): FieldChange {
  const before = stored && describeDeployTarget(stored)
  const after = target && describeDeployTarget(target)
  return { field: 'deployTarget', before, after: before === after ? `${after} (other secret parts)` : after }
}
