import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SiteRecord, SiteRelease } from './read-sites.ts'
import { writeAptConfig } from './write-apt-config.ts'

const run = promisify(execFile)

/** Thrown when a package client is missing or fails, for example because there is no network. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError'
}

/** A package of a corpus. `id` is the name of its folder in the cache. */
type DownloadRecord = Pick<SiteRecord, 'id' | 'source' | 'package'>

const TIMEOUT_MS = 600_000
const MAX_SOURCES = 16 * 1024 * 1024

/**
 * Downloads a release's archive with the ordinary client of its source (`npm pack`, `apt-get source`)
 * and compares it with its hash. Returns the path of the archive.
 * @throws DownloadError if the client is missing or fails
 * @throws Error if the hash differs
 */
export async function downloadRelease(record: DownloadRecord, release: SiteRelease, cache: string): Promise<string> {
  const folder = join(cache, record.id, release.version.replaceAll(/[^\w.+~-]/g, '_'))
  await mkdir(folder, { recursive: true })
  const known = await findArchive(folder)
  let reason = ''
  if (known === null) {
    const download = record.source === 'npm' ? packTarball : fetchSource
    // A missing signature or patch makes apt fail after it has downloaded the archive.
    await download(record, release, folder, cache).catch((error: unknown) => {
      reason = String(error instanceof Error ? error.message : error)
        .split('\n')
        .slice(0, 2)
        .join(' ')
    })
  }
  const archive = known ?? (await findArchive(folder))
  if (archive === null) {
    throw new DownloadError(`${record.package} ${release.version} could not be downloaded: ${reason.slice(0, 300)}`)
  }
  const bytes = await readFile(archive)
  const hash = release.hash.startsWith('sha512-')
    ? `sha512-${createHash('sha512').update(bytes).digest('base64')}`
    : `sha256-${createHash('sha256').update(bytes).digest('hex')}`
  if (hash !== release.hash) throw new Error(`${archive} has the hash ${hash} instead of ${release.hash}.`)
  return archive
}

async function findArchive(folder: string): Promise<string | null> {
  const names = await readdir(folder)
  const name = names.find((own) => /\.tgz$|\.orig\.tar\.\w+$/.test(own))
  return name === undefined ? null : join(folder, name)
}

async function packTarball({ package: name }: DownloadRecord, { version }: SiteRelease, folder: string) {
  await run('npm', ['pack', `${name}@${version}`, '--silent', '--ignore-scripts', '--pack-destination', folder], {
    cwd: folder,
    timeout: TIMEOUT_MS,
  })
}

/** Debian's revision of a package changes while its archive stays the same, so the hash selects the revision. */
async function fetchSource({ package: name }: DownloadRecord, { hash }: SiteRelease, folder: string, cache: string) {
  const { env } = await writeAptConfig(join(cache, 'apt'))
  const { stdout } = await run('apt-cache', ['showsrc', '--only-source', name], { env, maxBuffer: MAX_SOURCES })
  const found = findVersion(stdout, hash.slice('sha256-'.length))
  if (found === null) throw new Error(`the Debian lists in ${join(cache, 'apt')} have no ${name} with the hash ${hash}`)
  await run('apt-get', ['source', '--download-only', '--quiet', '--only-source', `${name}=${found}`], {
    cwd: folder,
    timeout: TIMEOUT_MS,
    env,
  })
}

/** Returns the first package version with an archive of this hash, or null. */
function findVersion(sources: string, hash: string): string | null {
  const paragraph = sources.split(/\n{2,}/).find((one) => one.includes(` ${hash} `))
  return /^Version: (\S+)$/m.exec(paragraph ?? '')?.[1] ?? null
}
