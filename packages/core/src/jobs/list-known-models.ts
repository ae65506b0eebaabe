import type { PrismaDeps } from '../db/open-database.ts'
import { listWorkers } from '../workers/list-workers.ts'

/**
 * Returns the only models that jobs can use: those that the operator allows, or those of the workers
 * that are online if all of them are demo workers. Null if they are not known, because the model API
 * of a worker can have more models than those that the worker is configured for.
 */
export async function listKnownModels(
  deps: PrismaDeps & {
    readonly allowedModels?: readonly string[] | null
    readonly defaultModel?: string
  },
): Promise<readonly string[] | null> {
  if (deps.allowedModels != null) return deps.allowedModels
  const workers = (await listWorkers(deps)).filter(({ alive }) => alive)
  const isRehearsal = workers.length > 0 && workers.every(({ model }) => model.kind === 'rehearsal')
  if (!isRehearsal) return null
  const names = workers.flatMap(({ model }) => model.names)
  return [...new Set(deps.defaultModel === undefined ? names : [deps.defaultModel, ...names])]
}
