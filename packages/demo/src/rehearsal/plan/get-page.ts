import { cleanPath, pageCandidates } from './page-path.ts'
import { GiveUp, type Plan } from './plan.ts'
import { type ViewedFile, viewFile } from './view-files.ts'

/** Returns the page at a path from a prompt, which may omit the extension. */
export function* getPage(written: string): Plan<ViewedFile> {
  const candidates = pageCandidates(cleanPath(written))
  for (const candidate of candidates) {
    const file = yield* viewFile(candidate)
    if (file) return file
  }
  throw new GiveUp(`There is no page ${candidates.join(' or ')}.`)
}
