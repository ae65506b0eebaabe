import GithubSlugger from 'github-slugger'
import { dropExtension } from '../../pages/paths.ts'

/** The address that Astro makes of a path in a content folder: each part as a slug, `index` as its folder. */
export function toSlugPath(path: string): string {
  const parts = dropExtension(path).split('/').map(toSlug)
  if (parts.at(-1) === 'index') parts.pop()
  return parts.join('/')
}

function toSlug(part: string): string {
  return new GithubSlugger().slug(part)
}
