import type { SavedPrompt, UpdateSavedPromptRequest } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { lockProject, refuseTakenName, toSavedPrompt, toTarget } from './to-saved-prompt.ts'

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
    if (!before) throw new AppError('not_found', 'Not found.')
    const { name = before.name, prompt = before.prompt } = change
    if (name === before.name && prompt === before.prompt) return toSavedPrompt(before)
    await refuseTakenName(tx, { projectId, name, except: id })
    const row = await tx.savedPrompt.update({ where: { id }, data: { name, prompt } })
    await recordAuditEvent(tx, audit, {
      ...{ action: 'saved_prompt.updated', projectId, target: toTarget(row) },
      ...(name === before.name ? {} : { before: { name: before.name }, after: { name } }),
    })
    return toSavedPrompt(row)
  })
}
