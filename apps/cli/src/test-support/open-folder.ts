import { rm } from 'node:fs/promises'
import path from 'node:path'
import { type EmbeddedPostgres, startPostgres } from '@corrigenda/embedded-postgres'
import { makeDatabaseDir } from '@corrigenda/testkit'
import { expect } from 'vitest'
import { runCli } from './run-cli.ts'

export interface Folder {
  readonly dir: string
  readonly server: EmbeddedPostgres
  /** Returns the `--json` output of a command, which must succeed and print nothing else. */
  json(...args: string[]): ReturnType<typeof JSON.parse>
  close(): Promise<void>
}

/**
 * Creates an empty folder with a running embedded database, like the one that `serve` starts.
 * Commands find it automatically.
 */
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

/** Creates a folder for commands and their embedded database. */
export const makeFolder = (): Promise<string> => makeDatabaseDir('corrigenda-cli-')

/** Returns a function that runs a command in a folder and returns its `--json` output. */
export const buildJson =
  (dir: string, env: Readonly<Record<string, string>> = {}) =>
  async (...args: string[]) => {
    const { code, out, err } = await runCli(dir, [...args, '--json'], env)
    expect([code, err], args.join(' ')).toEqual([0, ''])
    return JSON.parse(out)
  }
