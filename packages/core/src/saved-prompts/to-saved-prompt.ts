import type { SavedPrompt } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { Db } from '../db/open-database.ts'
import type { SavedPromptModel } from '../generated/prisma/models/SavedPrompt.ts'

export const toSavedPrompt = (row: SavedPromptModel): SavedPrompt => ({
  id: row.id,
  name: row.name,
  prompt: row.prompt,
  createdBy: row.createdByName,
  createdAt: row.createdAt.toISOString(),
})

/** Describes a saved prompt for the audit log. */
export const toTarget = ({ id, name }: Pick<SavedPromptModel, 'id' | 'name'>) => ({ type: 'saved_prompt', id, name })

/**
 * Locks the project, so that its saved prompts are changed one after the other.
 * @throws AppError `not_found`
 */
export async function lockProject(tx: Db, projectId: string): Promise<void> {
  const [project] = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM projects WHERE id = ${projectId} AND deleted_at IS NULL FOR NO KEY UPDATE`
  if (!project) throw new AppError('not_found', 'Not found.')
}

/**
 * @param except id of the prompt that may have the name
 * @throws AppError `invalid_request` if another saved prompt of the project has the name
 */
export async function refuseTakenName(
  tx: Db,
  { projectId, name, except = null }: { projectId: string; name: string; except?: string | null },
): Promise<void> {
  const [taken] = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM saved_prompts
    WHERE project_id = ${projectId} AND lower(name) = lower(${name}) AND id IS DISTINCT FROM ${except}`
  if (taken) throw new AppError('invalid_request', 'The project already has a saved prompt with this name.')
}
