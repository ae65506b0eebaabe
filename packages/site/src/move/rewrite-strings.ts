import { listStrings } from '../config/list-strings.ts'
import { quoteLike } from '../edit/quote-text.ts'
import { findRedirectList } from '../edit/redirect-places.ts'
import type { Site } from '../frameworks/framework.ts'
import { findStringTarget, type StringTarget } from '../references/find-string-target.ts'
import { listConfigFiles } from '../references/list-config-files.ts'
import type { DraftFiles } from './draft-files.ts'
import type { Repository } from './read-repository.ts'

interface StringsInput {
  readonly repository: Repository
  readonly drafts: DraftFiles
  /** Returns the reason why a file cannot be written, or null if it can. */
  explain(path: string): string | null
  /**
   * Returns the text that names the same target after the change, or null if no such text is
   * possible. Returns the text itself if it stays the same.
   */
  rename(site: Site, file: string, value: string, target: StringTarget): string | null
}

export interface StringsResult {
  /** Number of rewritten texts per file. */
  readonly counts: ReadonlyMap<string, number>
  /** New texts keyed by the old ones, per file. */
  readonly texts: ReadonlyMap<string, ReadonlyMap<string, string>>
}

/**
 * Rewrites the texts in the sites' configuration that name a changed page and are not part of the
 * navigation or the redirects, such as links in a footer. Edits are recorded in the drafts, and the
 * navigation must have been edited before. Texts that remain are found by `findMentions`.
 */
export async function rewriteStrings(input: StringsInput): Promise<StringsResult> {
  const { repository, drafts, explain } = input
  const counts = new Map<string, number>()
  const texts = new Map<string, ReadonlyMap<string, string>>()
  for (const site of repository.sites) {
    for (const path of listConfigFiles(site)) {
      const file = texts.has(path) || explain(path) !== null ? null : await drafts.openConfig(path)
      if (file === null) continue
      const list = findRedirectList(site, file)
      const renamed = new Map<string, string>()
      const splices = listStrings(file).flatMap((string) => {
        const { value, start, end } = string
        if (list !== null && start > list.start && end < list.end) return []
        const target = findStringTarget(repository.index, site, path, string)
        const text = target === null ? null : input.rename(site, path, value, target)
        if (text === null || text === value) return []
        renamed.set(value, text)
        return [{ start, end, replacement: quoteLike(path, file.text, start, text).replacement }]
      })
      if (splices.length === 0) continue
      await drafts.splice(path, splices)
      counts.set(path, splices.length)
      texts.set(path, renamed)
    }
  }
  return { counts, texts }
}
