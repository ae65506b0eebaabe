import { WorkspaceError } from './workspace.ts'

const MAX_PATH_BYTES = 4096
const MAX_SEGMENT_BYTES = 255
// HFS+ ignores these characters when comparing names (git's utf8.c, next_hfs_char).
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u
// Names that Windows cannot check out. A single such path prevents cloning the repository on
// Windows.
const NOT_ON_WINDOWS = /[<>:"|?*]/
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i

/**
 * Returns true if a file system may treat this name as `.git`. Covers any case, NTFS short names,
 * streams, trailing dots or spaces, and characters that HFS+ ignores. `git fsck` rejects the same
 * names.
 */
export function isDotGit(name: string): boolean {
  const bare = name.replace(IGNORED_BY_HFS, '').toLowerCase()
  return /^(\.git|git~\d+)[ .]*(?:[:\\].*)?$/s.test(bare)
}

/**
 * Returns true for names that a tree may contain but tools cannot address. They are preserved byte
 * for byte.
 */
export function isUnaddressable(name: string): boolean {
  return name.includes('\\') || CONTROL.test(name)
}

/**
 * Checks that a new path is relative, normalized, inside the repository, and unambiguous on all
 * file systems. Does not normalize Unicode, because names are compared as bytes.
 * @throws {WorkspaceError} `invalid_path`
 */
export function checkPath(path: string): void {
  const refuse = (why: string) => new WorkspaceError('invalid_path', `The path ${quote(path)} ${why}.`)
  if (path === '') throw new WorkspaceError('invalid_path', 'The path is empty.')
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) throw refuse('must be relative to the repository')
  if (path.includes('\\')) throw refuse('must use / instead of a backslash')
  if (CONTROL.test(path)) throw refuse('contains a control character')
  if (!path.isWellFormed()) throw refuse('is not valid Unicode')
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) throw refuse(`is longer than ${MAX_PATH_BYTES} bytes`)
  for (const segment of path.split('/')) {
    if (segment === '') throw refuse('has an empty segment')
    if (segment === '.' || segment === '..') throw refuse('must not contain . or .. segments')
    if (isDotGit(segment)) throw refuse('contains the name of a Git directory')
    if (/[. ]$/.test(segment)) throw refuse('has a segment that ends with a dot or a space')
    if (NOT_ON_WINDOWS.test(segment))
      throw refuse('contains one of the characters < > : " | ? *, which Windows does not allow')
    if (DEVICE.test(segment)) throw refuse('has a name that Windows reserves for a device')
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES)
      throw refuse(`has a segment of more than ${MAX_SEGMENT_BYTES} bytes`)
  }
}

/** Quotes a path for a message. Truncates it and escapes line breaks and invisible characters. */
export function quote(path: string): string {
  const text = JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path)
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)
}
