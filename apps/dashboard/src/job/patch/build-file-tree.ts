import type { FileChange } from '@corrigenda/contracts'

type Facts = Pick<FileChange, 'path' | 'status' | 'additions' | 'deletions'>

/**
 * A folder, or a file with its `index` in the list of changed files. A folder is merged with its
 * only child if the child is a folder.
 */
export type TreeNode =
  | { readonly kind: 'file'; readonly name: string; readonly index: number; readonly file: Facts }
  | { readonly kind: 'folder'; readonly name: string; readonly path: string; readonly children: readonly TreeNode[] }

interface Folder {
  readonly folders: Map<string, Folder>
  readonly files: { name: string; index: number; file: Facts }[]
}

/**
 * Returns the changed files as a tree. Folders come before files, and both are sorted by name, with
 * numbers by value.
 */
export function buildFileTree(files: readonly Facts[]): TreeNode[] {
  const root = newFolder()
  for (const [index, file] of files.entries()) {
    const names = file.path.split('/')
    const name = names.pop() ?? file.path
    let folder = root
    for (const step of names) {
      const next = folder.folders.get(step) ?? newFolder()
      folder.folders.set(step, next)
      folder = next
    }
    folder.files.push({ name, index, file })
  }
  return toNodes(root, '')
}

const newFolder = (): Folder => ({ folders: new Map(), files: [] })
const COLLATOR = new Intl.Collator('en', { numeric: true })
const byName = (a: { name: string }, b: { name: string }) =>
  COLLATOR.compare(a.name, b.name) || (a.name < b.name ? -1 : 1)

function toNodes(folder: Folder, prefix: string): TreeNode[] {
  const folders = [...folder.folders].map(([name, child]) => toFolder(name, child, prefix)).sort(byName)
  return [...folders, ...folder.files.map((file) => ({ kind: 'file' as const, ...file })).sort(byName)]
}

function toFolder(name: string, folder: Folder, prefix: string): TreeNode {
  let label = name
  let inner = folder
  for (;;) {
    const [only, ...others] = inner.folders
    if (inner.files.length > 0 || only === undefined || others.length > 0) break
    label = `${label}/${only[0]}`
    inner = only[1]
  }
  const path = `${prefix}${label}`
  return { kind: 'folder', name: label, path, children: toNodes(inner, `${path}/`) }
}

/** Returns the changed files in the order of their tree. */
export function sortFiles(files: readonly FileChange[]): FileChange[] {
  const flatten = (nodes: readonly TreeNode[]): number[] =>
    nodes.flatMap((node) => (node.kind === 'file' ? [node.index] : flatten(node.children)))
  return flatten(buildFileTree(files)).flatMap((index) => files[index] ?? [])
}
