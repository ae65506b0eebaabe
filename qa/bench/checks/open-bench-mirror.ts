import { execFileSync, fork } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMirrors, type Snapshot } from '@corrigenda/git/snapshot'
import type { DocsFile } from './build-docs.ts'

export interface BenchMirror {
  /** Opens the repository as a worker does, from its cache. */
  openSnapshot(): Promise<Snapshot>
  close(): Promise<void>
}

/** Commits files to a new repository, serves it and copies it to a worker's cache. */
export async function openBenchMirror(files: readonly DocsFile[]): Promise<BenchMirror> {
  const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'corrigenda-bench-'))
  const dir = join(root, 'docs.git')
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', dir])
  const parts = [
    Buffer.from('commit refs/heads/main\ncommitter Bench <bench@example.com> 1700000000 +0000\ndata 4\ndocs\n'),
  ]
  for (const { path, bytes } of files) {
    parts.push(
      Buffer.from(`M 100644 inline ${JSON.stringify(path)}\ndata ${bytes.length}\n`),
      Buffer.from(bytes),
      Buffer.from('\n'),
    )
  }
  execFileSync('git', ['-C', dir, 'fast-import', '--quiet'], { input: Buffer.concat(parts) })
  const host = fork(new URL('../git/serve-git.js', import.meta.url), [root], { execArgv: [] })
  const port = await new Promise<number>((resolve) => host.once('message', (message) => resolve(message as number)))
  const silent = { info: () => undefined, warn: () => undefined }
  const mirrors = await openMirrors({ cacheDir: join(root, 'cache'), log: silent, coldBuild: 'child' })
  const openSnapshot = () =>
    mirrors.openSnapshot({ tenant: 'bench', url: `http://127.0.0.1:${port}/docs.git`, branch: 'main', token: null })
  await (await openSnapshot())[Symbol.asyncDispose]()
  return {
    openSnapshot,
    async close() {
      await mirrors.close()
      host.disconnect()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
