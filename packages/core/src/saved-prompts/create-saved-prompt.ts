import { MAX_SAVED_PROMPTS, type SavedPrompt, type SavePromptRequest } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/new-id.ts'
import { lockProject, refuseTakenName, toSavedPrompt, toTarget } from './to-saved-prompt.ts'

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
