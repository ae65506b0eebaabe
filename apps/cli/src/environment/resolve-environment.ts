import path from 'node:path'
import type { Env } from '@corrigenda/core/runtime'
import { findRunningPostgres, startPostgres } from '@corrigenda/embedded-postgres'
import type { CommandPlace } from './command-context.ts'
import { STATE_FOLDER } from './config.ts'
import { ensureSecret, findDemoHost, findSecret } from './state-file.ts'

/** A command's settings, with embedded defaults for absent ones. */
export interface ResolvedEnvironment {
  readonly env: Env
  /** True if the database is this folder's embedded Postgres. */
  readonly embedded: boolean
  readonly stateDir: string
  /** Stops all processes that were started for this command. */
  close(): Promise<void>
}

/**
 * Fills in `DATABASE_URL` and `CORRIGENDA_SECRET` for embedded Postgres if `DATABASE_URL` is
 * absent. Mode `start` starts the server. Mode `find` uses a server that is already running in this
 * folder. If no server is running there, the settings stay absent, and the command's validation
 * reports them as missing.
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
  // Mode `find` does not create a secret, because it could differ from the running server's.
  const found = hasSecret ? null : mode === 'find' ? await findSecret(stateDir) : await ensureSecret(stateDir)
  const secret = found === null ? {} : { CORRIGENDA_SECRET: found }
  return {
    env: {
      ...env,
      ...secret,
      DATABASE_URL: postgres.url,
      DATABASE_DIRECT_URL: postgres.url,
      ...(await allowDemoHost(env, stateDir)),
    },
    embedded: true,
    stateDir,
    close: () => postgres.stop(),
  }
}

/** Any port of this machine. */
const LOOPBACK_HOOKS = '127.0.0.1:*,localhost:*,[::1]:*'

/**
 * Allows repositories on the demo's local Git host, which is used if no Git credential is
 * configured, and webhooks to programs on this machine.
 */
async function allowDemoHost(env: Env, stateDir: string): Promise<Env> {
  if (hasGitCredential(env)) return {}
  const demo = await findDemoHost(stateDir)
  return {
    ALLOWED_HOOK_HOSTS: [env.ALLOWED_HOOK_HOSTS, LOOPBACK_HOOKS].filter(Boolean).join(','),
    ...(demo ? { ALLOWED_REPOSITORY_HOSTS: addHost(env.ALLOWED_REPOSITORY_HOSTS, demo.authority) } : {}),
  }
}

export const addHost = (hosts: string | undefined, host: string): string => `${hosts || 'github.com'},${host}`

export const hasGitCredential = (env: Env): boolean =>
  Boolean(env.GITHUB_TOKEN || env.GITHUB_TOKEN_FILE || env.GITHUB_APP_ID || env.GITHUB_APP_ID_FILE || env.GIT_HOSTS)

/**
 * Returns true if a real model is configured: with a Messages API key, on Bedrock or Vertex, or on
 * a server that requires no key.
 */
export const hasModelKey = (env: Env): boolean =>
  Boolean(env.ANTHROPIC_API_KEY || env.ANTHROPIC_API_KEY_FILE) ||
  Boolean(env.ANTHROPIC_AUTH_TOKEN || env.ANTHROPIC_AUTH_TOKEN_FILE) ||
  env.MODEL_PROVIDER === 'bedrock' ||
  env.MODEL_PROVIDER === 'vertex' ||
  env.MODEL_AUTH === 'none'
