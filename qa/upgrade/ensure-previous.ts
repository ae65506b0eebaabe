import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/**
 * Builds a revision in a work tree in the temporary folder, where later runs find it.
 * @returns the main module of its command line
 */
export function ensurePrevious(revision: string): { main: string; commit: string } {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
  const commit = git('rev-parse', `${revision}^{commit}`)
  const folder = path.join(os.tmpdir(), `corrigenda-previous-${commit.slice(0, 12)}`)
  const main = path.join(folder, 'apps/cli/dist/main.js')
  if (!existsSync(main)) {
    if (!existsSync(folder)) git('worktree', 'add', '--detach', folder, commit)
    for (const args of [['install', '--frozen-lockfile'], ['build']]) {
      const settings = ['CI=true', 'TURBO_TELEMETRY_DISABLED=1']
      execFileSync('env', [...settings, 'npx', '-y', 'pnpm@12', ...args], { cwd: folder, stdio: 'inherit' })
    }
  }
  return { main, commit }
}

/** Returns the newest release tag that this commit descends from; null without one. */
export function findReleaseTag(): string | null {
  try {
    const args = ['describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^']
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return null
  }
}
