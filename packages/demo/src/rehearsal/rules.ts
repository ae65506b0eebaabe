import type { Rule } from './plan/rule.ts'
import { addPage } from './rules/add-page.ts'
import { appendText } from './rules/append-text.ts'
import { deletePage } from './rules/delete-page.ts'
import { documentFlag } from './rules/document-flag.ts'
import { fixLinks } from './rules/fix-links.ts'
import { followChanges } from './rules/follow-changes.ts'
import { movePage } from './rules/move-page.ts'
import { renameEverywhere } from './rules/rename-everywhere.ts'
import { replaceText } from './rules/replace-text.ts'
import type { Recognized } from './understand-several.ts'

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
export function matchRules(prompt: string): Recognized | null {
  const found = rules.flatMap((rule) => {
    const match = rule.match(prompt)
    return match === null ? [] : [{ kind: rule, match }]
  })
  return found.sort((a, b) => a.match.position - b.match.position)[0] ?? null
}
