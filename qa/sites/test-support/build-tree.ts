import type { SiteTree } from '../tree/site-tree.ts'

/** Builds a tree from texts keyed by path. */
export function buildTree(files: Readonly<Record<string, string>>): SiteTree {
  return { paths: Object.keys(files).sort(), text: (path) => files[path] ?? null }
}
