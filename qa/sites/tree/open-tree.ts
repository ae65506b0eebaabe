import type { GitEntry, GitObjects } from '../../check-history/open-objects.ts'
import type { SiteTree } from './site-tree.ts'

interface OpenTree extends SiteTree {
  readonly entries: readonly GitEntry[]
}

const TEXT =
  /\.(?:md|mdx|markdown|mdoc|rst|json|jsonc|ya?ml|toml|[cm]?[jt]sx?|vue|astro|html|txt)$|(?:^|\/)_redirects$/i
const MAX_BYTES = 2 * 1024 * 1024
const PARALLEL = 64

/** Opens a commit. Reads the text of every file that may contain documentation or configuration. */
export async function openTree(objects: GitObjects, commit: string): Promise<OpenTree> {
  const entries = await objects.listTree(commit)
  const files = entries.filter(({ mode }) => mode.startsWith('100'))
  const texts = new Map<string, string>()
  const wanted = files.filter(({ path }) => TEXT.test(path))
  for (let start = 0; start < wanted.length; start += PARALLEL) {
    const batch = wanted.slice(start, start + PARALLEL)
    const blobs = await Promise.all(batch.map(({ oid }) => objects.readBlob(oid)))
    for (const [at, bytes] of blobs.entries()) {
      const path = batch[at]?.path
      const text = bytes.length > MAX_BYTES ? null : decode(bytes)
      if (path !== undefined && text !== null) texts.set(path, text)
    }
  }
  return { entries, paths: files.map(({ path }) => path).sort(), text: (path) => texts.get(path) ?? null }
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
