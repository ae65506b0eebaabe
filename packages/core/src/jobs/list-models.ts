import type { ModelChoice } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { PrismaDeps } from '../db/open-database.ts'
import { toRunSettings } from '../projects/run-settings.ts'
import { listWorkers } from '../workers/list-workers.ts'
import type { CreateJobDeps } from './create-job.ts'
import { listKnownModels } from './list-known-models.ts'
import { toModelId } from './to-model-id.ts'

/**
 * Lists the models that a new job of a project can use: the allowed ones, or else the default, the
 * targets of aliases, and the models of the workers that are online. While all of those are demo
 * workers, jobs can only use the models in the list.
 * @throws AppError `not_found`
 */
export async function listModels(
  deps: PrismaDeps & Pick<CreateJobDeps, 'defaultModel' | 'allowedModels' | 'modelAliases'>,
  projectId: string,
): Promise<ModelChoice> {
  const { prisma, defaultModel, allowedModels, modelAliases = {} } = deps
  const project = await prisma.project.findUnique({ where: { id: projectId, deletedAt: null } })
  if (!project) throw new AppError('not_found', 'Not found.')
  const { model } = toRunSettings(project.settings).policy
  const chosen = model !== null && isKnown(modelAliases, model) ? toModelId(modelAliases, model) : defaultModel
  const known = await listKnownModels(deps)
  const workers = (await listWorkers({ prisma })).filter(({ alive }) => alive)
  const offered = allowedModels ?? [
    defaultModel,
    ...Object.values(modelAliases),
    ...workers.flatMap((worker) => worker.model.names),
  ]
  return {
    default: chosen,
    models: [...new Set([chosen, ...offered])].map((id) => ({
      id,
      aliases: Object.keys(modelAliases).filter((alias) => modelAliases[alias] === id),
    })),
    allowsOther: known === null,
  }
}

/** A project can keep an alias that the operator has removed. Its jobs are rejected. */
function isKnown(aliases: NonNullable<CreateJobDeps['modelAliases']>, name: string): boolean {
  try {
    toModelId(aliases, name)
    return true
  } catch {
    return false
  }
}
