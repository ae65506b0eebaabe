import { posix } from 'node:path'

const extension = /\.(mdx|md|markdown)$/i

/**
 * Converts a path from a prompt to a repository-relative path, without a leading slash, quotes, or
 * a trailing full stop.
 */
export function cleanPath(written: string): string {
  const bare = written.replace(/^[`'"“”]+|[`'"“”.,;:!?]+$/g, '')
  return posix.normalize(bare.replace(/^\/+/, '') || '.').replace(/^(\.\/)+|\/+$/g, '')
}

export function hasPageExtension(path: string): boolean {
  return extension.test(path)
}

/**
 * Returns a page's name in navigation and links, which is its path without the extension and
 * `/index`.
 */
export function toSlug(path: string): string {
  return path.replace(extension, '').replace(/(^|\/)index$/, '')
}

/** Returns the possible paths of a page: as written, or with the usual extensions. */
export function pageCandidates(path: string): string[] {
  return hasPageExtension(path) ? [path] : [`${path}.mdx`, `${path}.md`]
}
