import type { Match, Rule } from './plan/rule.ts'
import { addPage } from './rules/add-page.ts'
import { appendText } from './rules/append-text.ts'
import { deletePage } from './rules/delete-page.ts'
import { documentFlag } from './rules/document-flag.ts'
import { fixLinks } from './rules/fix-links.ts'
import { followChanges } from './rules/follow-changes.ts'
import { movePage } from './rules/move-page.ts'
import { renameEverywhere } from './rules/rename-everywhere.ts'
import { replaceText } from './rules/replace-text.ts'

/** Every sentence that the rehearsal model understands. */
export const rules: readonly Rule[] = [
  documentFlag,
  followChanges,
  replaceText,
  renameEverywhere,
  addPage,
  movePage,
  deletePage,
  fixLinks,
  appendText,
]

/** Returns the first sentence in the prompt. Ignores sentences inside triple quotes. */
export function matchRules(prompt: string): Match | null {
  const matches = rules.map((rule) => rule.match(prompt)).filter((match) => match !== null)
  return matches.sort((a, b) => a.position - b.position)[0] ?? null
}
