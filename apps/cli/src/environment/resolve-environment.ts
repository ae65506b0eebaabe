import path from 'node:path'
import type { Env } from '@corrigenda/core/runtime'
import { findRunningPostgres, startPostgres } from '@corrigenda/embedded-postgres'
import type { CommandPlace } from './command-context.ts'
import { STATE_FOLDER } from './config.ts'
import { ensureSecret, findDemoHost, findSecret } from './state-file.ts'

/** The settings a command works with, after the embedded defaults have filled what is absent. */
export interface ResolvedEnvironment {
  readonly env: Env
  /** True when Postgres is the embedded one of this folder. */
  readonly embedded: boolean
  readonly stateDir: string
  /** Ends what was started for this command. */
  close(): Promise<void>
}

/**
 * Fills `DATABASE_URL` and `CORRIGENDA_SECRET` from the embedded mode when `DATABASE_URL` is absent: the server that runs in this folder, or one
 * that is started now (`start`), or nothing (the command's own check then says what is missing).
 */
export async function resolveEnvironment(
  { env, cwd }: CommandPlace,
  mode: 'start' | 'find',
): Promise<ResolvedEnvironment> {
  const stateDir = path.resolve(cwd, STATE_FOLDER)
  const nothing = { stateDir, close: async () => {} }
  if (env.DATABASE_URL || env.DATABASE_URL_FILE) return { ...nothing, env, embedded: false }
  const running = mode === 'find' ? await findRunningPostgres(stateDir) : null
  if (mode === 'find' && !running) return { ...nothing, env, embedded: false }
  const postgres = running ? { ...running, stop: async () => {} } : await startPostgres({ stateDir })
  const hasSecret = Boolean(env.CORRIGENDA_SECRET || env.CORRIGENDA_SECRET_FILE)
  // Whoever only looks makes nothing up: a server that runs here may have been started with a secret of its own.
  const made = hasSecret ? null : mode === 'find' ? await findSecret(stateDir) : await ensureSecret(stateDir)
  const secret = made === null ? {} : { CORRIGENDA_SECRET: made }
  return {
    env: { ...env, ...secret, DATABASE_URL: postgres.url, ...(await allowDemoHost(env, stateDir)) },
    embedded: true,
    stateDir,
    close: () => postgres.stop(),
  }
}

/** Without a credential for a real Git host the demo's local one is used, so its repositories must be allowed. */
async function allowDemoHost(env: Env, stateDir: string): Promise<Env> {
  if (hasGitCredential(env)) return {}
  const demo = await findDemoHost(stateDir)
  return demo ? { ALLOWED_REPOSITORY_HOSTS: addHost(env.ALLOWED_REPOSITORY_HOSTS, demo.authority) } : {}
}

export const addHost = (hosts: string | undefined, host: string): string => `${hosts || 'github.com'},${host}`

export const hasGitCredential = (env: Env): boolean =>
  Boolean(env.GITHUB_TOKEN || env.GITHUB_TOKEN_FILE || env.GITHUB_APP_ID || env.GITHUB_APP_ID_FILE)

/** Is there a real model: a key of the Messages API, another platform, or a server that takes no key? */
export const hasModelKey = (env: Env): boolean =>
  Boolean(env.ANTHROPIC_API_KEY || env.ANTHROPIC_API_KEY_FILE) ||
  Boolean(env.ANTHROPIC_AUTH_TOKEN || env.ANTHROPIC_AUTH_TOKEN_FILE) ||
  env.MODEL_PROVIDER === 'bedrock' ||
  env.MODEL_PROVIDER === 'vertex' ||
  env.MODEL_AUTH === 'none'
