import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Ignored by Git but needed to run: the Prisma client that the build generates. */
const GENERATED = 'packages/core/src/generated'
/** What tools keep in node_modules for themselves; a copy has its own. */
const CACHES = /^\.(vite|cache)/

/**
 * Copies the working tree as it is now, without what is built: files that Git tracks or would track. Installed packages are linked, not copied: the
 * links of each workspace package are relative, so they lead to the sources in the copy and to the installed rest.
 * @throws Error when the tree is no Git checkout, or was never built
 */
export async function copyWorkTree(root: string, target: string): Promise<void> {
  const files = await listFiles(root)
  await Promise.all([...new Set(files.map((file) => path.dirname(file)))].map((dir) => makeDir(target, dir)))
  await Promise.all(files.map((file) => copyFile(root, target, file)))
  await cp(path.join(root, GENERATED), path.join(target, GENERATED), { recursive: true }).catch(() => {
    throw new Error('The Prisma client is missing. Run "pnpm build" first.')
  })
  for (const owner of new Set(files.flatMap(toPackage))) {
    const links = path.join(owner, 'node_modules')
    await cp(path.join(root, links), path.join(target, links), { recursive: true, verbatimSymlinks: true }).catch(
      ignoreMissing,
    )
  }
  await mkdir(path.join(target, 'node_modules'))
  for (const name of await readdir(path.join(root, 'node_modules'))) {
    if (!CACHES.test(name))
      await symlink(path.join(root, 'node_modules', name), path.join(target, 'node_modules', name))
  }
}

async function listFiles(root: string): Promise<string[]> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { stdout } = await run('git', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 }).catch(() => {
    throw new Error('This is no Git checkout, so the files to copy are not known. Run it in a clone of the repository.')
  })
  return [...new Set(stdout.split('\0').filter(Boolean))]
}

const makeDir = (target: string, dir: string) => mkdir(path.join(target, dir), { recursive: true })

/** A tracked file may have been removed, or vanish while others work in the tree. */
const copyFile = (root: string, target: string, file: string) =>
  cp(path.join(root, file), path.join(target, file), { verbatimSymlinks: true }).catch(ignoreMissing)

const toPackage = (file: string): string[] =>
  /^(?:apps|packages)\/[^/]+\/package\.json$/.test(file) ? [path.dirname(file)] : []

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
