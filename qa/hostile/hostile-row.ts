import type { HostileOrigin } from './hostile-host.ts'
import type { HostileEntry } from './hostile-objects.ts'

/**
 * What must come of a repository. `refused`: opening it ends in a RepositoryError or GitHttpError of one of these codes. `readable`: it
 * opens, with exactly these paths within reach of tools, or that many. Reading what is too large is refused by path.
 */
export type HostileExpectation =
  | { readonly outcome: 'refused'; readonly codes: readonly string[] }
  | {
      readonly outcome: 'readable'
      readonly paths: readonly string[] | number
      /** `done`, or the code a checkout into real files ends with. */
      readonly checkout: string
    }

export interface HostileRow {
  readonly name: string
  /** Make the repository what it is. */
  build(origin: HostileOrigin): void
  readonly expect: HostileExpectation
  /** Expected of a repository that was sound before and turns into this one, where that differs. */
  readonly expectUpdate?: HostileExpectation
  /** This path is read past the limits of the work tree, which downloads it; `expect` is about that. */
  readonly lazyPath?: string
}

export function refused(...codes: string[]): HostileExpectation {
  return { outcome: 'refused', codes }
}

export function readable(paths: readonly string[] | number, checkout = 'done'): HostileExpectation {
  return { outcome: 'readable', paths, checkout }
}

/** Put a tree on the branch main. Returns the commit. */
export function putTree(origin: HostileOrigin, tree: string, more = ''): string {
  const commit = origin.store.commit(tree, more)
  origin.refs.set('refs/heads/main', commit)
  return commit
}

export function putEntries(origin: HostileOrigin, entries: readonly HostileEntry[]): string {
  return putTree(origin, origin.store.tree(entries))
}

/** A file of the hostile repository. */
export function toFile(origin: HostileOrigin, name: string | Buffer, content: string | Buffer = 'x\n'): HostileEntry {
  return { mode: '100644', name, oid: origin.store.blob(content) }
}

export function toFolder(origin: HostileOrigin, name: string | Buffer, entries: readonly HostileEntry[]): HostileEntry {
  return { mode: '40000', name, oid: origin.store.tree(entries) }
}

export function toLink(origin: HostileOrigin, name: string, target: string): HostileEntry {
  return { mode: '120000', name, oid: origin.store.blob(target) }
}

const page = Array.from({ length: 400 }, (_, line) => `Line ${line} of a page that nobody should be afraid of.`).join(
  '\n',
)

/** What every repository is before it turns hostile. */
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
