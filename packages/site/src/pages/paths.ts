/** Returns a repository-relative path's folder. The empty string is the root. */
export function toFolder(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? '' : path.slice(0, slash)
}

export function toName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Resolves a relative path against a folder. Returns null if it leads above the root. */
export function joinPath(folder: string, path: string): string | null {
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return null
  }
  return parts.join('/')
}

/** Returns true if the path is in the folder, at any depth. Every path is in ''. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`)
}

/** Returns the path relative to a folder that contains it. */
export function toInner(path: string, folder: string): string {
  return folder === '' ? path : path.slice(folder.length + 1)
}

/** Returns the shortest relative path from a folder to a path, such as `../b/c.md`. */
export function toRelative(folder: string, path: string): string {
  const from = folder === '' ? [] : folder.split('/')
  const to = path === '' ? [] : path.split('/')
  let shared = 0
  while (shared < from.length && shared < to.length && from[shared] === to[shared]) shared += 1
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/')
}

/** Decodes a URL or a part of one. Returns text that is not encoded correctly as it is. */
export function decodePath(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const PAGE = /\.(?:mdx?|markdown)$/i

export const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|mp4|webm|mov|mp3)$/i

export function dropExtension(path: string): string {
  return path.replace(PAGE, '')
}

/**
 * Returns every folder that contains one of these files, at any depth. The root is the empty
 * string.
 */
export function toFolders(paths: Iterable<string>): Set<string> {
  const folders = new Set<string>([''])
  for (const path of paths) {
    for (let folder = toFolder(path); !folders.has(folder); folder = toFolder(folder)) folders.add(folder)
  }
  return folders
}

/**
 * Removes a number that only defines the order: `01-intro` becomes `intro`. Leaves dates and
 * versions unchanged.
 */
export function dropNumber(segment: string): string {
  if (/^\d+[-_.]\d/.test(segment)) return segment
  return /^\d+\s*[-_.]+\s*([^-_.\s].*)$/.exec(segment)?.[1] ?? segment
}

/** Replaces the route of an index page with its folder. Leaves other routes unchanged. */
export function dropIndex(route: string, index: RegExp): string {
  return index.test(toName(route)) ? toFolder(route) : route
}

/**
 * Normalizes the spelling of a URL: `/a/b/`, `a//b` and `/a/b.html`. Keeps the page name in
 * `/a/b/index`.
 */
export function toAddress(url: string): string {
  const path = url
    .replace(/\/{2,}/g, '/')
    .replace(/\.(?:html?|mdx?|markdown)$/i, '')
    .replace(/^\/+|(?<!\/)\/+$/g, '')
  return `/${path}`
}
