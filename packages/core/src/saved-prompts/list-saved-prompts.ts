import type { SavedPrompt } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import { toSavedPrompt } from './to-saved-prompt.ts'

/** Lists a project's saved prompts by name, ignoring case. */
export async function listSavedPrompts(
  { prisma }: Pick<Database, 'prisma'>,
  projectId: string,
): Promise<SavedPrompt[]> {
  const rows = await prisma.savedPrompt.findMany({ where: { projectId } })
  return rows.map(toSavedPrompt).sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1))
}
