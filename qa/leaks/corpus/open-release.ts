import { execFile } from 'node:child_process'
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Workspace, WorkspaceEntry } from '@corrigenda/git/workspace'
import { downloadRelease } from '../../sites/corpus/download-release.ts'
import type { SiteRelease } from '../../sites/corpus/site-record.ts'
import type { PackageRecord } from './package-record.ts'

const run = promisify(execFile)

/** The files of a release, split into documentation and code. */
export interface OpenedRelease {
  /** Bytes by path. */
  readonly docs: ReadonlyMap<string, Uint8Array>
  readonly code: Pick<Workspace, 'list' | 'read'>
}

const DOC = /\.(?:mdx?|markdown|rst|adoc)$/i
/** Instructions for coding agents describe the code, and an agent may not change them. */
const INSTRUCTIONS = /(?:^|\/)(?:AGENTS|CLAUDE|GEMINI)\.md$/
/** Documentation in other formats, such as manual pages. */
const RENDERED = /(?:^|\/)(?:docs?|man)\//
/** Source maps repeat the code in one line, and repositories do not have them. */
const SOURCE_MAP = /\.map$/
const BUNDLED = /(?:^|\/)node_modules\//

/** Downloads a release if it is not in the cache, and lists its files. */
export async function openRelease(record: PackageRecord, release: SiteRelease, cache: string): Promise<OpenedRelease> {
  const archive = await downloadRelease({ id: record.id, source: 'npm', package: record.package }, release, cache)
  const tree = join(cache, record.id, release.version, 'tree')
  if ((await stat(tree).catch(() => null)) === null) {
    const part = `${tree}.part`
    await rm(part, { recursive: true, force: true })
    await run('mkdir', [part])
    await run('tar', ['-xf', archive, '--strip-components=1', '--no-same-owner', '--no-same-permissions', '-C', part])
    await rename(part, tree)
  }
  const found = await readdir(tree, { recursive: true, withFileTypes: true })
  const paths = found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(tree.length + 1))
    .filter((path) => !BUNDLED.test(path) && !INSTRUCTIONS.test(path))
    .sort()
  const docs = new Map<string, Uint8Array>()
  for (const path of paths) if (DOC.test(path)) docs.set(path, await readFile(join(tree, path)))
  const entries = paths
    .filter((path) => !DOC.test(path) && !RENDERED.test(path) && !SOURCE_MAP.test(path))
    .map((path): WorkspaceEntry => ({ path, kind: 'file', executable: false }))
  return { docs, code: { list: async () => entries, read: (path) => readFile(join(tree, path)) } }
}
