import { posix } from 'node:path'

const extension = /\.(mdx|md|markdown)$/i

/** A path as a person writes it in a prompt, made repository-relative: no leading slash, no quotes, no full stop after it. */
export function cleanPath(written: string): string {
  const bare = written.replace(/^[`'"“”]+|[`'"“”.,;:!?]+$/g, '')
  return posix.normalize(bare.replace(/^\/+/, '') || '.').replace(/^(\.\/)+|\/+$/g, '')
}

export function hasPageExtension(path: string): boolean {
  return extension.test(path)
}

/** What a page is called in navigation and links: its path without extension, and without `/index`. */
export function toSlug(path: string): string {
  return path.replace(extension, '').replace(/(^|\/)index$/, '')
}

/** Where a page may be: as written, or with the usual extensions. */
export function pageCandidates(path: string): string[] {
  return hasPageExtension(path) ? [path] : [`${path}.mdx`, `${path}.md`]
}
