import type { Workspace } from '@corrigenda/git/workspace'
import type { SiteTree } from './site-tree.ts'

/** Reads a workspace's current state. Only changed files are read again. */
export async function readTree(base: SiteTree, workspace: Workspace): Promise<SiteTree> {
  const changed = new Map<string, string | null>()
  for (const { path, after } of await workspace.changes()) changed.set(path, after === null ? null : decode(after))
  const entries = await workspace.list()
  return {
    paths: entries.flatMap(({ path, kind }) => (kind === 'file' ? [path] : [])),
    text: (path) => (changed.has(path) ? (changed.get(path) ?? null) : base.text(path)),
  }
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
