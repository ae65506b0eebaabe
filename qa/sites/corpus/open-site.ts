import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runGit } from '../../check-history/run-git.ts'
import { downloadRelease } from './download-release.ts'
import type { SiteRecord, SiteRelease } from './read-sites.ts'

const run = promisify(execFile)

interface OpenedSite {
  /** Folder of a bare Git repository with one commit per release. */
  readonly folder: string
  /** One commit per release, oldest first. */
  readonly commits: readonly string[]
}

/** Returns a site as a Git repository in the cache folder, and downloads it first if it is missing. */
export async function openSite(record: SiteRecord, cache: string): Promise<OpenedSite> {
  const folder = join(cache, record.id, 'repo')
  const tags = record.releases.map(({ hash }) => `release-${hash.replaceAll(/[^\w]/g, '').slice(0, 24)}`)
  if (!(await hasTags(folder, tags))) await importReleases(record, cache, folder, tags)
  const commits = await Promise.all(tags.map(async (tag) => (await runGit(folder, ['rev-parse', tag])).trim()))
  return { folder, commits }
}

async function hasTags(folder: string, tags: readonly string[]): Promise<boolean> {
  // The folder does not exist before the first download.
  if ((await stat(folder).catch(() => null)) === null) return false
  const known = new Set((await runGit(folder, ['tag', '--list'])).split('\n'))
  return tags.every((tag) => known.has(tag))
}

async function importReleases(record: SiteRecord, cache: string, folder: string, tags: readonly string[]) {
  const work = await mkdtemp(join(tmpdir(), 'qa-site-'))
  try {
    const bare = join(work, 'repo')
    await mkdir(bare)
    await runGit(bare, ['init', '--quiet', '--bare'])
    // Overrides attributes in the tree, so that every byte is kept.
    await mkdir(join(bare, 'info'), { recursive: true })
    await writeFile(join(bare, 'info', 'attributes'), '* -text -filter -ident -eol\n')
    for (const [at, release] of record.releases.entries()) {
      const tree = join(work, `tree-${at}`)
      await extract(record, release, cache, tree)
      const root = join(tree, record.folder ?? '')
      const git = ['--git-dir', bare, '--work-tree', root, '-c', 'core.autocrlf=false', '-c', 'commit.gpgsign=false']
      const author = ['-c', 'user.name=corpus', '-c', 'user.email=corpus@example.com']
      await runGit(root, [...git, 'add', '--all', '--force', '.'])
      await runGit(root, [...git, ...author, 'commit', '--quiet', '--no-verify', '--message', release.version])
      await runGit(root, [...git, 'tag', tags[at] ?? ''])
    }
    await rm(folder, { recursive: true, force: true })
    await rename(bare, folder).catch(async () => {
      // The cache may be on another file system.
      await run('cp', ['-a', bare, folder])
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

async function extract(record: SiteRecord, release: SiteRelease, cache: string, tree: string): Promise<void> {
  const archive = await downloadRelease(record, release, cache)
  await mkdir(tree)
  await run('tar', ['-xf', archive, '--strip-components=1', '--no-same-owner', '--no-same-permissions', '-C', tree])
}
