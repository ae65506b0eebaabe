import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { ProjectSource } from '@corrigenda/contracts'
import type { Env } from '@corrigenda/core/runtime'
import {
  buildRehearsalModel,
  type NewRepository,
  REHEARSAL_MODEL_ID,
  readSampleCode,
  readSampleDocs,
  startGitHost,
  startModelServer,
} from '@corrigenda/demo'
import { addHost } from '../environment/resolve-environment.ts'
import { findDemoHost, saveDemoHost } from '../environment/state-file.ts'

export const SAMPLE = 'tidewater/docs'
/** The code of the product that the sample documentation describes. */
const SAMPLE_CODE = 'tidewater/tidewater'

/** The local Git host with a sample documentation repository and the code that it describes. */
export interface DemoGitHost {
  readonly url: string
  readonly sampleUrl: string
  /** Sources of a project for the sample documentation. */
  readonly sampleSources: readonly ProjectSource[]
  readonly env: Env
  close(): Promise<void>
}

/**
 * Starts the host with the previous run's port and token, if any, so that project repositories and
 * job links stay valid.
 */
export async function startDemoGitHost(stateDir: string): Promise<DemoGitHost> {
  const before = await findDemoHost(stateDir)
  const token = before?.token ?? `ghp_${randomBytes(18).toString('hex')}`
  const root = path.join(stateDir, 'git-host')
  const host = await startGitHost({ root, token, port: before?.port ?? 0 })
  const { host: authority, port } = new URL(host.url)
  await saveDemoHost(stateDir, { port: Number(port), token, authority })
  const ensureRepository = async (full: string, readCommits: () => NewRepository['commits']) => {
    if (!existsSync(path.join(root, `${full}.git`))) await host.createRepository(full, { commits: readCommits() })
  }
  await ensureRepository(SAMPLE, () => [
    { message: 'docs: start the documentation', files: readSampleDocs({ mistakes: true }) },
  ])
  await ensureRepository(SAMPLE_CODE, () => readSampleCode(new Date()))
  // The samples can be cloned without a token. Pushing still needs it.
  for (const full of [SAMPLE, SAMPLE_CODE]) host.makePublic(full)
  return {
    url: host.url,
    sampleUrl: `${host.url}/${SAMPLE}`,
    sampleSources: [
      ProjectSource.parse({ name: 'tidewater', repository: `${host.url}/${SAMPLE_CODE}`, visibility: 'public' }),
    ],
    env: {
      GITHUB_TOKEN: token,
      ALLOWED_REPOSITORY_HOSTS: addHost(undefined, authority),
    },
    close: () => host.close(),
  }
}

/**
 * A local server that implements the Messages API and serves the rehearsal model, a script that
 * recognizes a few requests.
 */
export interface DemoModel {
  readonly env: Env
  close(): Promise<void>
}

export async function startDemoModel(): Promise<DemoModel> {
  const server = await startModelServer({ modelScript: buildRehearsalModel(), model: REHEARSAL_MODEL_ID })
  return {
    env: {
      ANTHROPIC_API_KEY: server.key,
      ANTHROPIC_BASE_URL: server.url,
      MODEL: REHEARSAL_MODEL_ID,
      MODEL_ALIASES: ['sonnet', 'opus', 'haiku'].map((alias) => `${alias}=${REHEARSAL_MODEL_ID}`).join(','),
    },
    close: () => server.close(),
  }
}
