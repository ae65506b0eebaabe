import { diffLines, formatBytes, readLines, type WorkspaceChange, type WorkspaceEntry } from '@corrigenda/git/workspace'
import { matchRenames } from '@corrigenda/site/checks'
import { findConfigViolation, type StringTest } from '@corrigenda/site/edit'
import type { PathPolicy } from './path-policy.ts'

type ViolationCode =
  | 'path_not_allowed'
  | 'path_collision'
  | 'path_unportable'
  | 'image_changed'
  | 'config_changed'
  | 'code_added'
  | 'executable_added'
  | 'executable_changed'
  | 'file_too_large'
  | 'too_many_files'
  | 'too_many_lines'
  | 'diff_too_large'
  | 'secret_in_change'

export interface PolicyViolation {
  readonly code: ViolationCode
  /** Null if the violation concerns the whole change. */
  readonly path: string | null
  /** One sentence. Contains no file content. */
  readonly message: string
}

/**
 * Returns the policy violations of a finished change. `entries` lists the current files, and `base`
 * lists those in the base commit. If both are omitted, executable files are not checked. `accepts`
 * returns the test for the texts of a guarded file.
 */
export function checkPolicy(
  changes: readonly WorkspaceChange[],
  policy: PathPolicy,
  entries: readonly WorkspaceEntry[] = [],
  base: readonly WorkspaceEntry[] = [],
  accepts?: (path: string) => StringTest,
): PolicyViolation[] {
  const wasExecutable = toExecutables(base)
  const isExecutable = toExecutables(entries)
  const violations: PolicyViolation[] = []
  // A moved file counts with the lines that differ from its old path.
  const sources = new Map(Array.from(matchRenames(changes), ([from, to]) => [to, from]))
  const moved = new Set(sources.values())
  const before = new Map(changes.map((change) => [change.path, change.before]))
  let lines = 0
  let bytes = 0
  const present = toSpellings(changes.some(({ kind }) => kind === 'added') ? entries : [])
  for (const change of changes) {
    violations.push(...checkPath(change, changes, policy, accepts))
    const twin =
      change.kind === 'added' ? present.get(fold(change.path))?.find((path) => path !== change.path) : undefined
    if (twin !== undefined) {
      const message = `${JSON.stringify(change.path)} and ${JSON.stringify(twin)} differ only in case, so they cannot both exist on macOS and Windows. Choose a different name.`
      violations.push({ code: 'path_collision', path: change.path, message })
    }
    const unportable = change.kind === 'added' ? findUnportableName(change.path) : null
    // A folder that already existed is not the change's.
    if (unportable !== null && !base.some(({ path }) => path.startsWith(`${unportable.folder}/`))) {
      const message = `${JSON.stringify(change.path)} cannot be checked out on every system: ${unportable.reason}. Choose a different name.`
      violations.push({ code: 'path_unportable', path: change.path, message })
    }
    // Files that already existed are also checked, because an executable file may have been moved
    // over them.
    if (change.after !== null && isExecutable.has(change.path) && !wasExecutable.has(change.path)) {
      const message = `${JSON.stringify(change.path)} is a new executable file. Executable files cannot be added.`
      violations.push({ code: 'executable_added', path: change.path, message })
    }
    // A project may allow files that are not documentation, but executable files remain protected.
    if (wasExecutable.has(change.path) && !policy.isDocumentation(change.path)) {
      const message = `${JSON.stringify(change.path)} is an executable file. Executable files cannot be changed.`
      violations.push({ code: 'executable_changed', path: change.path, message })
    }
    if ((change.after?.length ?? 0) > policy.maxFileBytes) {
      const message = `${JSON.stringify(change.path)} is larger than the limit of ${formatBytes(policy.maxFileBytes)}.`
      violations.push({ code: 'file_too_large', path: change.path, message })
    }
    if (moved.has(change.path)) continue
    const source = sources.get(change.path)
    const old = source === undefined ? change.before : (before.get(source) ?? null)
    const size = measure(old, change.after)
    lines += size.lines
    bytes += size.bytes
  }
  const whole = (code: ViolationCode, message: string) => violations.push({ code, path: null, message })
  if (changes.length > policy.maxFiles) {
    whole('too_many_files', `The change contains ${changes.length} files; at most ${policy.maxFiles} are allowed.`)
  }
  if (lines > policy.maxChangedLines) {
    whole('too_many_lines', `The change has ${lines} changed lines; at most ${policy.maxChangedLines} are allowed.`)
  }
  if (bytes > policy.maxDiffBytes) {
    whole(
      'diff_too_large',
      `The size of the diff is ${formatBytes(bytes)}; the limit is ${formatBytes(policy.maxDiffBytes)}.`,
    )
  }
  return violations
}

/** Returns the paths of the current files by their form on file systems that ignore case. */
function toSpellings(entries: readonly WorkspaceEntry[]): ReadonlyMap<string, readonly string[]> {
  const spellings = new Map<string, string[]>()
  for (const { path } of entries) spellings.set(fold(path), [...(spellings.get(fold(path)) ?? []), path])
  return spellings
}

const fold = (path: string): string => path.normalize('NFC').toLowerCase()

function toExecutables(entries: readonly WorkspaceEntry[]): ReadonlySet<string> {
  return new Set(entries.filter((entry) => entry.executable).map((entry) => entry.path))
}

function checkPath(
  change: WorkspaceChange,
  changes: readonly WorkspaceChange[],
  policy: PathPolicy,
  accepts?: (path: string) => StringTest,
): PolicyViolation[] {
  const why = policy.explain(change.path, 'write')
  if (why === null) return policy.isGuarded(change.path) ? checkGuarded(change, accepts?.(change.path)) : []
  const mayMove = policy.explain(change.path, 'move') === null
  if (change.kind === 'deleted' && mayMove) return []
  if (change.kind === 'added' && mayMove && changes.some((other) => isSource(other, change))) return []
  return [{ code: mayMove ? 'image_changed' : 'path_not_allowed', path: change.path, message: why }]
}

/** Verifies that a change of a guarded file changes only its navigation, redirects and addresses. */
function checkGuarded({ path, before, after }: WorkspaceChange, accepts?: StringTest): PolicyViolation[] {
  const why =
    before === null || after === null
      ? 'it can be neither created nor deleted'
      : findConfigViolation(path, before, after, accepts)
  if (why === null) return []
  const message = `Only the navigation, the redirects, and the addresses and paths of pages in ${JSON.stringify(path)} can be changed: ${why}.`
  return [{ code: 'config_changed', path, message }]
}

/** Returns true if `other` is a deleted file with the same bytes as `added`. */
function isSource(other: WorkspaceChange, added: WorkspaceChange): boolean {
  if (other.kind !== 'deleted' || other.before === null || added.after === null) return false
  return Buffer.compare(other.before, added.after) === 0
}

/** Returns the size of the difference in changed lines. Binary files have no lines. */
function measure(old: Uint8Array | null, now: Uint8Array | null): { lines: number; bytes: number } {
  const [before, after] = [readLines(old), readLines(now)]
  if (before === null || after === null) {
    const isSame = old !== null && now !== null && Buffer.compare(old, now) === 0
    return { lines: 0, bytes: isSame ? 0 : (now?.length ?? 0) }
  }
  let lines = 0
  let bytes = 0
  for (const hunk of diffLines(before, after)) {
    const touched = [...before.slice(hunk.beforeStart, hunk.beforeEnd), ...after.slice(hunk.afterStart, hunk.afterEnd)]
    lines += touched.length
    for (const line of touched) bytes += Buffer.byteLength(line) + 1
  }
  return { lines, bytes }
}

/**
 * Names that Windows reserves for devices, with any extension
 * (https://learn.microsoft.com/windows/win32/fileio/naming-a-file).
 */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[\d¹²³])$/
const FORBIDDEN = /[<>:"|?*\\]/
/** The short form of a longer name, such as `GIT~1` for `.git`, which Windows treats as equal. */
const SHORT = /^[^.]{1,6}~\d{1,2}(?:\.[^.]{0,3})?$/
const MAX_NAME_BYTES = 255

/**
 * Returns the first part of a path that Windows or macOS cannot check out or reads as another name,
 * and why, or null. The reason is the rest of a sentence.
 */
export function findUnportableName(path: string): { readonly folder: string; readonly reason: string } | null {
  const parts = path.split('/')
  for (const [index, name] of parts.entries()) {
    const reason = explain(name)
    if (reason !== null) return { folder: parts.slice(0, index + 1).join('/'), reason }
  }
  return null
}

function explain(name: string): string | null {
  const folded = name.normalize('NFKC').toLowerCase()
  const shown = JSON.stringify(name)
  if (/[. ]$/.test(folded)) return `${shown} ends with a dot or a space`
  if (FORBIDDEN.test(name)) return `${shown} contains one of < > : " | ? * \\`
  if (DEVICE.test((folded.split('.')[0] ?? '').trimEnd())) return `${shown} is reserved for a device`
  if (SHORT.test(folded)) return `${shown} is the short form of a longer name`
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) return `${shown.slice(0, 40)}… is longer than ${MAX_NAME_BYTES} bytes`
  return null
}
