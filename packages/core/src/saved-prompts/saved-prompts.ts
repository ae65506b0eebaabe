import {
  MAX_SAVED_PROMPTS,
  type SavedPrompt,
  type SavePromptRequest,
  type UpdateSavedPromptRequest,
} from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError, notFound } from '../base/errors.ts'
import { newId } from '../base/new-id.ts'
import type { Db, PrismaDeps } from '../db/open-database.ts'
import type { SavedPromptModel } from '../generated/prisma/models/SavedPrompt.ts'

/** Lists a project's saved prompts by name, ignoring case. */
export async function listSavedPrompts({ prisma }: PrismaDeps, projectId: string): Promise<SavedPrompt[]> {
  const rows = await prisma.savedPrompt.findMany({ where: { projectId } })
  return rows.map(toSavedPrompt).sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1))
}

/**
 * Saves a prompt for new jobs of a project.
 * @throws AppError `not_found`; `invalid_request` if the name is taken or the project has the maximum
 * number of saved prompts
 */
export function createSavedPrompt(
  { prisma, audit }: AuditedDeps,
  { projectId, request }: { projectId: string; request: SavePromptRequest },
): Promise<SavedPrompt> {
  return prisma.$transaction(async (tx) => {
    await lockProject(tx, projectId)
    if ((await tx.savedPrompt.count({ where: { projectId } })) >= MAX_SAVED_PROMPTS) {
      throw new AppError(
        'invalid_request',
        `A project can have ${MAX_SAVED_PROMPTS} saved prompts. Delete one that is no longer used.`,
      )
    }
    await refuseTakenName(tx, { projectId, name: request.name })
    const row = await tx.savedPrompt.create({
      data: { id: newId('spr'), projectId, ...request, createdByName: audit.actor.name },
    })
    await recordAuditEvent(tx, audit, { action: 'saved_prompt.created', projectId, target: toTarget(row) })
    return toSavedPrompt(row)
  })
}

/**
 * Renames a saved prompt of a project, or replaces its text.
 * @throws AppError `not_found`, also for another project's prompt; `invalid_request` if the name is
 * taken
 */
export function updateSavedPrompt(
  { prisma, audit }: AuditedDeps,
  { projectId, id, change }: { projectId: string; id: string; change: UpdateSavedPromptRequest },
): Promise<SavedPrompt> {
  return prisma.$transaction(async (tx) => {
    await lockProject(tx, projectId)
    const before = await tx.savedPrompt.findFirst({ where: { id, projectId } })
    if (!before) throw notFound()
    const { name = before.name, prompt = before.prompt } = change
    if (name === before.name && prompt === before.prompt) return toSavedPrompt(before)
    await refuseTakenName(tx, { projectId, name, except: id })
    const row = await tx.savedPrompt.update({ where: { id }, data: { name, prompt } })
    await recordAuditEvent(tx, audit, {
      action: 'saved_prompt.updated',
      projectId,
      target: toTarget(row),
      ...(name === before.name ? {} : { before: { name: before.name }, after: { name } }),
    })
    return toSavedPrompt(row)
  })
}

/**
 * Deletes a saved prompt of a project.
 * @throws AppError `not_found`, also for another project's prompt
 */
export function deleteSavedPrompt(
  { prisma, audit }: AuditedDeps,
  { projectId, id }: { projectId: string; id: string },
): Promise<void> {
  return prisma.$transaction(async (tx) => {
    await lockProject(tx, projectId)
    const row = await tx.savedPrompt.findFirst({ where: { id, projectId } })
    if (!row) throw notFound()
    await tx.savedPrompt.delete({ where: { id } })
    await recordAuditEvent(tx, audit, { action: 'saved_prompt.deleted', projectId, target: toTarget(row) })
  })
}

const toSavedPrompt = (row: SavedPromptModel): SavedPrompt => ({
  id: row.id,
  name: row.name,
  prompt: row.prompt,
  createdBy: row.createdByName,
  createdAt: row.createdAt.toISOString(),
})

/** Describes a saved prompt for the audit log. */
const toTarget = ({ id, name }: Pick<SavedPromptModel, 'id' | 'name'>) => ({ type: 'saved_prompt', id, name })

/**
 * Locks the project, so that its saved prompts are changed one after the other.
 * @throws AppError `not_found`
 */
async function lockProject(tx: Db, projectId: string): Promise<void> {
  const [project] = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM projects WHERE id = ${projectId} AND deleted_at IS NULL FOR NO KEY UPDATE`
  if (!project) throw notFound()
}

/**
 * @param except id of the prompt that may have the name
 * @throws AppError `invalid_request` if another saved prompt of the project has the name
 */
async function refuseTakenName(
  tx: Db,
  { projectId, name, except = null }: { projectId: string; name: string; except?: string | null },
): Promise<void> {
  const [taken] = await tx.$queryRaw<unknown[]>`
    SELECT FROM saved_prompts
    WHERE project_id = ${projectId} AND lower(name) = lower(${name}) AND id IS DISTINCT FROM ${except}`
  if (taken) throw new AppError('invalid_request', 'The project already has a saved prompt with this name.')
}
