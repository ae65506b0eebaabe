import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type EmbeddedPostgres, startPostgres } from '@corrigenda/embedded-postgres'
import { expect } from 'vitest'
import { runCli } from './run-cli.ts'

export interface Folder {
  readonly dir: string
  readonly server: EmbeddedPostgres
  /** What a command prints with `--json`; it must succeed and say nothing else. */
  json(...args: string[]): ReturnType<typeof JSON.parse>
  close(): Promise<void>
}

/** An empty folder with a running embedded database, as a running `serve` in it would have it; commands find it by themselves. */
export async function openFolder(): Promise<Folder> {
  const dir = await makeFolder()
  const server = await startPostgres({ stateDir: path.join(dir, '.corrigenda'), durable: false })
  return {
    dir,
    server,
    json: buildJson(dir),
    async close() {
      await server.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** A folder in which embedded Postgres can run: as root it runs as another user. */
export async function makeFolder(): Promise<string> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-cli-'))
  await chmod(dir, 0o755)
  return dir
}

/** Runs commands in a folder and answers what they print with `--json`. */
export const buildJson =
  (dir: string, env: Readonly<Record<string, string>> = {}) =>
  async (...args: string[]) => {
    const { code, out, err } = await runCli(dir, [...args, '--json'], env)
    expect([code, err], args.join(' ')).toEqual([0, ''])
    return JSON.parse(out)
  }
