import { execFile } from 'node:child_process'
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findLeaks, type Leak } from '@corrigenda/agent/leaks'
import {
  decodeText,
  toLines,
  type Workspace,
  type WorkspaceChange,
  type WorkspaceEntry,
} from '@corrigenda/git/workspace'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { DownloadError, downloadRelease } from '../sites/corpus/download-release.ts'

interface PackageRecord {
  readonly id: string
  readonly package: string
  /** Hashes by version, oldest first. */
  readonly releases: Readonly<Record<string, string>>
  readonly verdicts?: Readonly<Record<string, string>>
}

const run = promisify(execFile)
const CACHE = join(import.meta.dirname, '../../.cache/leaks')
const PACKAGES: PackageRecord[] = parse(await readFile(join(import.meta.dirname, 'packages.yaml'), 'utf8'))
const EXCERPT_LINES = 4

/**
 * Treats the code of each release as a private source that may not be cited, and its documentation as
 * the change of an agent to that of the release before.
 */
test.for(PACKAGES)(
  '$id: the guard refuses only changes that repeat the code or name its files',
  async (record, { skip }) => {
    const refusals: string[] = []
    let before: Files | null = null
    for (const version of Object.keys(record.releases)) {
      const opened = await openRelease(record, version).catch((error: unknown) => {
        if (error instanceof DownloadError) return skip(error.message)
        throw error
      })
      const old = before
      before = opened.docs
      const changes = old === null ? [] : listChanges(old, opened.docs)
      if (old === null || changes.length === 0) continue
      const leaks = await findLeaks({
        changes,
        title: `Update the documentation for ${version}`,
        body: `Describes the changes in ${version}.`,
        base: { listBase: async () => toEntries([...old.keys()]), readBase: async (path) => old.get(path) ?? null },
        sources: [
          {
            name: record.id,
            visibility: 'private',
            cite: 'none',
            quotable: [],
            repository: `https://git.example.com/code/${record.id}.git`,
            reader: opened.code,
          },
        ],
      })
      refusals.push(...leaks.flatMap((leak) => describe(record, version, leak, opened.docs)))
    }
    expect(refusals).toEqual([])
  },
)

type Files = ReadonlyMap<string, Uint8Array>

const DOC = /\.(?:mdx?|markdown|rst|adoc)$/i
/** Bundled dependencies, and instructions for coding agents, which an agent may not change. */
const LEFT_OUT = /(?:^|\/)node_modules\/|(?:^|\/)(?:AGENTS|CLAUDE|GEMINI)\.md$/
/** Documentation in other formats, and source maps, which repositories do not have. */
const NO_CODE = /(?:^|\/)(?:docs?|man)\/|\.map$/

/** Downloads a release if it is not in the cache, and splits its files into documentation and code. */
async function openRelease(
  record: PackageRecord,
  version: string,
): Promise<{ docs: Files; code: Pick<Workspace, 'list' | 'read'> }> {
  const release = { version, hash: record.releases[version] ?? '' }
  const archive = await downloadRelease({ ...record, source: 'npm' }, release, CACHE)
  const tree = join(CACHE, record.id, version, 'tree')
  // The folder does not exist before the first use.
  if ((await stat(tree).catch(() => null)) === null) {
    const part = `${tree}.part`
    await rm(part, { recursive: true, force: true })
    await run('mkdir', [part])
    await run('tar', ['-xf', archive, '--strip-components=1', '--no-same-owner', '--no-same-permissions', '-C', part])
    await rename(part, tree)
  }
  const paths = (await readdir(tree, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(tree.length + 1))
    .filter((path) => !LEFT_OUT.test(path))
    .sort()
  const docs = new Map<string, Uint8Array>()
  for (const path of paths) if (DOC.test(path)) docs.set(path, await readFile(join(tree, path)))
  const code = toEntries(paths.filter((path) => !DOC.test(path) && !NO_CODE.test(path)))
  return { docs, code: { list: async () => code, read: (path) => readFile(join(tree, path)) } }
}

const toEntries = (paths: readonly string[]) =>
  paths.map((path): WorkspaceEntry => ({ path, kind: 'file', executable: false }))

function listChanges(before: Files, after: Files): WorkspaceChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((path): WorkspaceChange[] => {
    const [old, now] = [before.get(path) ?? null, after.get(path) ?? null]
    if (old !== null && now !== null && Buffer.compare(old, now) === 0) return []
    return [{ path, kind: old === null ? 'added' : now === null ? 'deleted' : 'modified', before: old, after: now }]
  })
}

/** Returns a finding without a verdict, with its first lines for a person to judge. */
function describe({ verdicts = {} }: PackageRecord, version: string, { where, kind }: Leak, docs: Files): string[] {
  const [, first, last, path] = /^Lines? (\d+)(?: to (\d+))? of (".*")$/.exec(where) ?? []
  const key = `${version} ${kind} ${path ?? where}`
  if (verdicts[key] !== undefined || verdicts[`${version} ${kind}`] !== undefined) return []
  const bytes = path === undefined ? undefined : docs.get(String(JSON.parse(path)))
  const file = bytes === undefined ? 'binary' : decodeText(bytes)
  const lines = typeof file === 'string' ? [] : toLines(file.text).slice(Number(first) - 1, Number(last ?? first))
  return [`${key}: ${where}`, ...lines.slice(0, EXCERPT_LINES).map((line) => `    ${line.slice(0, 110)}`)]
}
