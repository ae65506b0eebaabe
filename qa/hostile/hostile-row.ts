import type { HostileOrigin } from './hostile-host.ts'
import type { HostileEntry } from './hostile-objects.ts'

/**
 * The expected result for a repository. With `refused`, opening it fails with a RepositoryError or
 * GitHttpError with one of these codes. With `readable`, it opens, and exactly these paths, or this
 * number of paths, are available to tools. Reads of files that are too large are rejected
 * individually.
 */
export type HostileExpectation =
  | { readonly outcome: 'refused'; readonly codes: readonly string[] }
  | { readonly outcome: 'readable'; readonly paths: readonly string[] | number }

export interface HostileRow {
  readonly name: string
  /** Sets up the repository. */
  build(origin: HostileOrigin): void
  readonly expect: HostileExpectation
  /** Expected after an update from a valid repository to this one, if different. */
  readonly expectUpdate?: HostileExpectation
  /**
   * A path that is read despite the work tree's limits, so that the file is downloaded. `expect`
   * applies to this read.
   */
  readonly lazyPath?: string
}

export function refused(...codes: string[]): HostileExpectation {
  return { outcome: 'refused', codes }
}

export function readable(paths: readonly string[] | number): HostileExpectation {
  return { outcome: 'readable', paths }
}

/** Commits a tree to the main branch. Returns the commit. */
export function putTree(origin: HostileOrigin, tree: string, more = ''): string {
  const commit = origin.store.commit(tree, more)
  origin.refs.set('refs/heads/main', commit)
  return commit
}

export function putEntries(origin: HostileOrigin, entries: readonly HostileEntry[]): string {
  return putTree(origin, origin.store.tree(entries))
}

/** Creates a file in the hostile repository. */
export function toFile(origin: HostileOrigin, name: string | Buffer, content: string | Buffer = 'x\n'): HostileEntry {
  return { mode: '100644', name, oid: origin.store.blob(content) }
}

export function toFolder(origin: HostileOrigin, name: string | Buffer, entries: readonly HostileEntry[]): HostileEntry {
  return { mode: '40000', name, oid: origin.store.tree(entries) }
}

export function toLink(origin: HostileOrigin, name: string, target: string): HostileEntry {
  return { mode: '120000', name, oid: origin.store.blob(target) }
}

const page = Array.from({ length: 400 }, (_, line) => `Line ${line} of a page that is not hostile.`).join('\n')

/** Sets up a repository's valid version, before it becomes hostile. */
export function buildGoodOrigin(origin: HostileOrigin): { readonly commit: string; readonly page: string } {
  const { store } = origin
  const docs = store.tree([toFile(origin, 'page.md', page)])
  const commit = putEntries(origin, [
    toFile(origin, 'README.md', '# Good\n'),
    { mode: '40000', name: 'docs', oid: docs },
  ])
  return { commit, page: store.blob(page) }
}

export const goodPage = Buffer.from(page)
