import type { FileChange } from '@corrigenda/contracts'
import { buildFileTree, type TreeNode } from './build-file-tree.ts'

/** Returns the changed files in the order of their tree. */
export function sortFiles(files: readonly FileChange[]): FileChange[] {
  const flatten = (nodes: readonly TreeNode[]): number[] =>
    nodes.flatMap((node) => (node.kind === 'file' ? [node.index] : flatten(node.children)))
  return flatten(buildFileTree(files)).flatMap((index) => files[index] ?? [])
}
