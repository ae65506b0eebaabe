import type { ChangedText, FileChange } from '@corrigenda/contracts'
import { hashObject } from '@corrigenda/git/objects'
import { listTree, type Snapshot } from '@corrigenda/git/snapshot'
import type { WorkTree } from '@corrigenda/git/work-tree'
import { diffLines, type Hunk, type WorkspaceChange } from '@corrigenda/git/workspace'
import { matchRenames } from '@corrigenda/site/checks'

/** Maximum total size of a job's patches, in UTF-8 bytes. */
const MAX_PATCH_BYTES = 1_048_576
/** Maximum size of a stored text, and of a job's stored texts, in UTF-8 bytes. */
const MAX_TEXT_BYTES = 524_288
const MAX_TEXTS_BYTES = 4_194_304
/** Lines of context around a change (git's default). */
const CONTEXT = 3

/** A workspace change with the file's git modes before and after the change; default 100644. */
export interface ChangedFile extends WorkspaceChange {
  readonly oldMode?: string
  readonly mode?: string
  /** Path before the change, if the file was moved. */
  readonly previousPath?: string
}

/**
 * Converts a change set for display: each file's status, line counts and a unified diff that `git
 * apply` accepts. Lists every file in the given order, but omits patches that would exceed 1 MiB in
 * total. A removed and an added file with similar lines are one moved file. `texts` contains the
 * texts after the change of modified and moved files with a patch, within the limits above. The
 * patch of any other file contains all of its lines.
 */
export function toChanges(
  changes: readonly ChangedFile[],
  { maxPatchBytes = MAX_PATCH_BYTES, maxTextBytes = MAX_TEXT_BYTES, maxTextsBytes = MAX_TEXTS_BYTES } = {},
): { files: FileChange[]; texts: ChangedText[] } {
  let [patchBytes, textsBytes] = [maxPatchBytes, maxTextsBytes]
  const texts: ChangedText[] = []
  const files = joinMoves(changes).map((change): FileChange => {
    const file = toFileChange(change)
    const bytes = Buffer.byteLength(file.patch ?? '')
    if (bytes > patchBytes) return { ...file, patch: null, omitted: 'too_large' }
    patchBytes -= bytes
    const lines = file.patch !== null && change.kind === 'modified' ? readLines(change.after) : []
    const size = change.after?.length ?? 0
    if (Array.isArray(lines) && lines.length > 0 && size <= Math.min(maxTextBytes, textsBytes)) {
      texts.push({ path: file.path, text: lines.join('') })
      textsBytes -= size
    }
    return file
  })
  return { files, texts }
}

/** Replaces each removed file and the added file that it was moved to by one file. */
function joinMoves(changes: readonly ChangedFile[]): ChangedFile[] {
  const renames = matchRenames(changes)
  const byPath = new Map(changes.map((change) => [change.path, change]))
  const moves = new Map<string, ChangedFile>()
  for (const [from, to] of renames) {
    const [old, now] = [byPath.get(from), byPath.get(to)]
    // As in git, a link is never the new form of a file.
    if (!old || !now || (old.oldMode === LINK) !== (now.mode === LINK)) continue
    const { before, oldMode } = old
    moves.set(to, { ...now, kind: 'modified', before, previousPath: from, ...(oldMode && { oldMode }) })
  }
  const gone = new Set([...moves.values()].map(({ previousPath }) => previousPath))
  return changes.flatMap((change) => (gone.has(change.path) ? [] : [moves.get(change.path) ?? change]))
}

/** Mode of a symbolic link. */
const LINK = '120000'

const STATUS = { added: 'added', modified: 'modified', deleted: 'removed' } as const

function toFileChange(change: ChangedFile): FileChange {
  const { path, previousPath } = change
  const base =
    previousPath === undefined
      ? { path, status: STATUS[change.kind] }
      : { path, previousPath, status: 'renamed' as const }
  if (previousPath !== undefined && Buffer.compare(change.before ?? Buffer.of(), change.after ?? Buffer.of()) === 0) {
    const patch = toHeader(change, { hasText: false, similarity: 100 }).join('')
    return { ...base, additions: 0, deletions: 0, patch, omitted: null }
  }
  const [before, after] = [readLines(change.before), readLines(change.after)]
  const unreadable = typeof before === 'string' ? before : typeof after === 'string' ? after : null
  if (unreadable !== null || typeof before === 'string' || typeof after === 'string') {
    return { ...base, additions: 0, deletions: 0, patch: null, omitted: unreadable }
  }
  const hunks = diffLines(before, after)
  const additions = hunks.reduce((sum, hunk) => sum + hunk.afterEnd - hunk.afterStart, 0)
  const deletions = hunks.reduce((sum, hunk) => sum + hunk.beforeEnd - hunk.beforeStart, 0)
  const similarity = Math.floor((100 * (before.length - deletions)) / Math.max(1, before.length, after.length))
  return {
    ...base,
    additions,
    deletions,
    patch: [...toHeader(change, { hasText: hunks.length > 0, similarity }), ...toHunkLines(hunks, before, after)].join(
      '',
    ),
    omitted: null,
  }
}

/**
 * Returns the lines, or the reason why the file cannot be split into lines. Lines include their
 * endings, so that a missing final newline counts as a difference.
 */
function readLines(bytes: Uint8Array | null): string[] | 'binary' | 'not_utf8' {
  if (bytes === null) return []
  if (bytes.includes(0)) return 'binary'
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  } catch {
    return 'not_utf8'
  }
}

/** @param similarity percentage of unchanged lines, which git shows for a moved file */
function toHeader(
  { path, previousPath = path, kind, oldMode = '100644', mode = '100644' }: ChangedFile,
  { hasText, similarity }: { hasText: boolean; similarity: number },
): string[] {
  const [old, now] = [quote(`a/${previousPath}`), quote(`b/${path}`)]
  const head = [`diff --git ${old} ${now}\n`]
  if (kind === 'added') head.push(`new file mode ${mode}\n`)
  if (kind === 'deleted') head.push(`deleted file mode ${oldMode}\n`)
  if (kind === 'modified' && mode !== oldMode) head.push(`old mode ${oldMode}\n`, `new mode ${mode}\n`)
  if (previousPath !== path) {
    head.push(`similarity index ${similarity}%\n`, `rename from ${quote(previousPath)}\n`, `rename to ${quote(path)}\n`)
  }
  if (hasText) {
    head.push(
      `--- ${kind === 'added' ? '/dev/null' : ended(old)}\n`,
      `+++ ${kind === 'deleted' ? '/dev/null' : ended(now)}\n`,
    )
  }
  return head
}

/** Quotes ambiguous names as git does. Other names are unchanged (git's core.quotePath=false). */
function quote(path: string): string {
  if (!/[\p{Cc}"\\]/u.test(path)) return path
  const escaped = path.replace(/[\p{Cc}"\\]/gu, (char) =>
    char === '"' || char === '\\'
      ? `\\${char}`
      : [...Buffer.from(char)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
  )
  return `"${escaped}"`
}

/** Appends a tab to a name with spaces, because text after a space could be parsed as a date. */
const ended = (name: string): string => (name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name)

function* toHunkLines(hunks: readonly Hunk[], before: readonly string[], after: readonly string[]): Generator<string> {
  for (const group of toGroups(hunks)) {
    const [first, last] = [group[0], group.at(-1)]
    if (!first || !last) continue
    const from = Math.max(0, first.beforeStart - CONTEXT)
    const to = Math.min(before.length, last.beforeEnd + CONTEXT)
    const newFrom = from + first.afterStart - first.beforeStart
    const newTo = to + last.afterEnd - last.beforeEnd
    yield `@@ -${toRange(from, to)} +${toRange(newFrom, newTo)} @@\n`
    let at = from
    for (const hunk of group) {
      for (const line of before.slice(at, hunk.beforeStart)) yield toLine(' ', line)
      for (const line of before.slice(hunk.beforeStart, hunk.beforeEnd)) yield toLine('-', line)
      for (const line of after.slice(hunk.afterStart, hunk.afterEnd)) yield toLine('+', line)
      at = hunk.beforeEnd
    }
    for (const line of before.slice(at, to)) yield toLine(' ', line)
  }
}

/** Groups differences into one hunk if their context lines would touch. */
function toGroups(hunks: readonly Hunk[]): Hunk[][] {
  const groups: Hunk[][] = []
  for (const hunk of hunks) {
    const open = groups.at(-1)
    const previous = open?.at(-1)
    if (open && previous && hunk.beforeStart - previous.beforeEnd <= 2 * CONTEXT) open.push(hunk)
    else groups.push([hunk])
  }
  return groups
}

/** Returns the start and length of a line range. An empty range starts at the preceding line. */
const toRange = (from: number, to: number): string => `${to === from ? from : from + 1},${to - from}`

const toLine = (sign: string, line: string): string =>
  line.endsWith('\n') ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`

/** A file before or after the change: its mode, object id and a function that reads its content. */
interface Side {
  readonly mode: string
  readonly oid: string
  readonly read: () => Promise<Uint8Array>
}

/**
 * Returns all differences between a work tree and a base commit, sorted by path. The result is the
 * input of {@link toChanges}. The base is the work tree's commit or, for a follow-up, the pull
 * request's base commit, so the result includes changes by earlier runs and users on the branch.
 * @throws RepositoryError, GitHttpError if a file cannot be read; Error if more than `maxFiles`
 * files changed
 */
export async function readChangedFiles(input: {
  base: Snapshot
  workTree: Pick<WorkTree, 'snapshot' | 'overlay'>
  /** Maximum number of changed files. If it is exceeded, no files are read. */
  maxFiles?: number
}): Promise<ChangedFile[]> {
  const { base, workTree, maxFiles = Number.POSITIVE_INFINITY } = input
  const before = await listFiles(base)
  const now = new Map(await listFiles(workTree.snapshot))
  for (const { path, mode, content } of workTree.overlay()) {
    if (content === null) now.delete(path)
    else now.set(path, { mode, oid: hashObject('blob', content), read: async () => content })
  }
  const paths = [...new Set([...before.keys(), ...now.keys()])].filter((path) => {
    const [old, young] = [before.get(path), now.get(path)]
    return old?.oid !== young?.oid || old?.mode !== young?.mode
  })
  if (paths.length > maxFiles) throw new Error(`${paths.length} files differ. The limit is ${maxFiles}.`)
  const changes: ChangedFile[] = []
  for (const path of paths.sort()) changes.push(await readChange(path, before.get(path), now.get(path)))
  return changes
}

/** Lists a snapshot's files, excluding submodules, which have no content. */
async function listFiles(snapshot: Snapshot): Promise<Map<string, Side>> {
  const { entries } = await listTree(snapshot)
  const files = entries.filter((entry) => entry.kind !== 'submodule')
  return new Map(files.map(({ path, mode, oid }) => [path, { mode, oid, read: () => snapshot.readBlob(oid) }]))
}

async function readChange(path: string, before: Side | undefined, now: Side | undefined): Promise<ChangedFile> {
  return {
    path,
    kind: before === undefined ? 'added' : now === undefined ? 'deleted' : 'modified',
    before: (await before?.read()) ?? null,
    after: (await now?.read()) ?? null,
    ...(before && { oldMode: before.mode }),
    ...(now && { mode: now.mode }),
  }
}
