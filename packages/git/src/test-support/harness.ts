import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { MirrorLog, MirrorOptions } from '../mirror/mirror-options.ts'
import { type Mirrors, openMirrors } from '../snapshot/open-mirrors.ts'
import { createRepository, type FixtureFile, makeTempDir } from './fixture.ts'
import { type GitServer, startGitServer } from './git-server.ts'

export interface Harness extends AsyncDisposable {
  readonly server: GitServer
  readonly mirrors: Mirrors
  readonly cacheDir: string
  /** The bare repository on the server. */
  readonly origin: string
  readonly url: string
  readonly token: string
  readonly log: { level: string; message: string }[]
}

/**
 * Starts a Git host with one repository and an empty cache. Retries are almost immediate, so that
 * fault tests run quickly.
 */
export async function startHarness(
  files: readonly FixtureFile[],
  options: Partial<MirrorOptions> = {},
): Promise<Harness> {
  const dir = makeTempDir()
  const root = join(dir.path, 'host')
  mkdirSync(root)
  const token = 'ghs_test-token'
  const origin = createRepository(root, 'docs.git', files)
  const server = await startGitServer(root, { token })
  const log: { level: string; message: string }[] = []
  const toLog = (level: string) => (_fields: object, message: string) => void log.push({ level, message })
  const logger: MirrorLog = { info: toLog('info'), warn: toLog('warn') }
  const cacheDir = join(dir.path, 'cache')
  const mirrors = await openMirrors({
    cacheDir,
    log: logger,
    coldBuild: 'inline',
    http: { retryPauseMs: 1 },
    ...options,
  })
  return {
    server,
    mirrors,
    cacheDir,
    origin,
    url: server.url('docs.git'),
    token,
    log,
    async [Symbol.asyncDispose]() {
      await mirrors.close()
      await server.close()
      dir[Symbol.dispose]()
    },
  }
}
