import fs from 'node:fs'
import { copyFile, link, mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import git, { type PromiseFsClient } from 'isomorphic-git'
import { GitHttpError } from '../http/git-http-error.ts'
import { RepositoryError } from '../objects/repository-error.ts'
import { listTree } from '../snapshot/list-tree.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import { isDotGit } from '../workspace/path-rules.ts'
import { buildCheckoutObjects, type CheckoutObjects } from './checkout-objects.ts'

interface MaterializeInput {
  readonly snapshot: Snapshot
  /** Directory to fill. It must be empty or not exist yet. The caller removes it. */
  readonly dir: string
  readonly signal?: AbortSignal | undefined
}

/**
 * Creates a checkout of the snapshot on disk with a separate gitdir, for tools that need files. The
 * packs are hard links into the cache. The checkout contains no remotes or credentials. A symbolic
 * link that points outside the checkout or into `.git` becomes a file that contains the link
 * target.
 * @throws {RepositoryError}
 * @throws {GitHttpError} `aborted`, or an error from the host while files are downloaded
 */
export async function materialize(input: MaterializeInput): Promise<void> {
  const { snapshot, dir, signal } = input
  checkAborted(signal)
  const { entries } = await listTree(snapshot)
  const blobs = entries.filter((entry) => entry.kind !== 'submodule').map((entry) => entry.oid)
  await snapshot.fetchBlobs(blobs)
  const objects = await buildCheckoutObjects(snapshot, blobs)
  await mkdir(dir, { recursive: true })
  if ((await readdir(dir)).length > 0)
    throw new RepositoryError('build_failed', 'The directory for the checkout is not empty.')
  const gitdir = join(dir, '.git')
  await mkdir(join(gitdir, 'objects/pack'), { recursive: true })
  await mkdir(join(gitdir, 'refs/heads'), { recursive: true })
  for (const pack of snapshot.packPaths()) {
    for (const path of [pack, pack.replace(/\.pack$/, '.idx')]) {
      const target = join(gitdir, 'objects/pack', basename(path))
      await link(path, target).catch(() => copyFile(path, target))
    }
  }
  await writeFile(join(gitdir, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n')
  await writeFile(join(gitdir, 'shallow'), `${snapshot.commit}\n`)
  await writeFile(join(gitdir, 'HEAD'), `${snapshot.commit}\n`)
  const checkout = buildCheckoutFs({ dir, gitdir, objects, signal })
  try {
    await git.checkout({
      fs: checkout.fs,
      dir,
      gitdir,
      ref: objects.tree,
      noUpdateHead: true,
      // Without batches, isomorphic-git opens every file at once and exceeds the limit on open
      // files.
      nonBlocking: true,
      batchSize: 256,
      onProgress: checkout.check,
    })
    checkout.check()
  } catch (error) {
    checkout.check()
    if (error instanceof GitHttpError || error instanceof RepositoryError) throw error
    const name = error instanceof Error ? error.name : 'error'
    throw new RepositoryError('hostile_tree', `The repository cannot be checked out (${name}).`)
  }
}

interface CheckoutInput {
  readonly dir: string
  readonly gitdir: string
  readonly objects: CheckoutObjects
  readonly signal: AbortSignal | undefined
}

interface CheckoutFs {
  readonly fs: PromiseFsClient
  /** Throws after a failure or an abort. */
  readonly check: () => void
}

/**
 * Builds the `fs` client for a checkout. isomorphic-git prints every failed write with its path and
 * continues. To prevent this, the first failure or an abort disables all writes, and `check`, which
 * isomorphic-git calls between batches, stops the checkout.
 */
function buildCheckoutFs(input: CheckoutInput): CheckoutFs {
  const { dir, gitdir, objects, signal } = input
  let failure: string | null = null
  // isomorphic-git treats every read error as a missing file.
  let unread: unknown = null
  const missing = Object.assign(new Error('no such file'), { code: 'ENOENT' })
  const stopped = () => failure !== null || unread !== null || signal?.aborted === true
  const attempt = async (write: () => Promise<void>) => {
    if (stopped()) return
    await write().catch((error: NodeJS.ErrnoException) => {
      failure ??= error.code ?? 'error'
    })
  }
  const { promises } = fs
  const objectDir = `${join(gitdir, 'objects')}/`
  const readFile = async (path: string, options: object) => {
    const oid = path.startsWith(objectDir) ? path.slice(objectDir.length).replace('/', '') : ''
    if (!/^[0-9a-f]{40}$/.test(oid)) return promises.readFile(path, options)
    return objects.read(oid).catch((error) => {
      unread ??= error
      throw missing
    })
  }
  return {
    check() {
      checkAborted(signal)
      if (unread !== null) throw unread
      if (failure !== null) {
        throw new RepositoryError('build_failed', `The repository files could not be written (${failure}).`)
      }
    },
    fs: {
      promises: {
        ...promises,
        readFile,
        // Hides the packs, so that isomorphic-git does not load them to search for an unreadable
        // object.
        readdir: async (path: string) => (path === join(gitdir, 'objects/pack') ? [] : promises.readdir(path)),
        writeFile: (path: string, bytes: Uint8Array, options: object) =>
          attempt(() => promises.writeFile(path, bytes, options)),
        symlink: (target: string, path: string) =>
          attempt(() =>
            isLinkable(target) && isInside(target, relative(dir, dirname(path)))
              ? promises.symlink(target, path)
              : promises.writeFile(path, target, { flag: 'wx' }),
          ),
        lstat: (path: string) => promises.lstat(stopped() ? dir : path),
      },
    },
  }
}

/**
 * Returns true for valid link targets (path_resolution(7)). Links with other targets become text
 * files.
 */
function isLinkable(target: string): boolean {
  return target !== '' && !target.includes('\0') && Buffer.byteLength(target) < 4096
}

/**
 * Returns true if the target starts with no more `..` segments than the link has parent
 * directories, and contains no later `..` segment and no `.git` segment. The link then stays inside the
 * directory regardless of other links on its path, because those links follow the same rule.
 */
function isInside(target: string, folder: string): boolean {
  const segments = target.split('/')
  const depth = folder === '' ? 0 : folder.split('/').length
  const up = segments.findIndex((segment) => segment !== '..')
  const down = up < 0 ? [] : segments.slice(up)
  const steps = up < 0 ? segments.length : up
  return !target.startsWith('/') && steps <= depth && !down.some((segment) => segment === '..' || isDotGit(segment))
}

function checkAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new GitHttpError('aborted', 'The checkout was aborted.')
}
