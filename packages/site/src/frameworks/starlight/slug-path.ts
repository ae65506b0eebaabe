import GithubSlugger from 'github-slugger'
import { dropExtension } from '../../pages/paths.ts'

/**
 * Returns the URL that Astro generates from a path in a content folder. Each part becomes a
 * slug, and `index` becomes its folder.
 */
export function toSlugPath(path: string): string {
  const parts = dropExtension(path).split('/').map(toSlug)
  if (parts.at(-1) === 'index') parts.pop()
  return parts.join('/')
}

function toSlug(part: string): string {
  return new GithubSlugger().slug(part)
}
