import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Env } from '@corrigenda/core/runtime'
import { readSampleDocs, startGitHost } from '@corrigenda/demo'
import { addHost } from '../environment/resolve-environment.ts'
import { findDemoHost, saveDemoHost } from '../environment/state-file.ts'

export const SAMPLE = 'tidewater/docs'

/** The local Git host with a sample documentation repository. */
export interface DemoGitHost {
  readonly url: string
  readonly sampleUrl: string
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
  if (!existsSync(path.join(root, `${SAMPLE}.git`))) {
    await host.createRepository(SAMPLE, {
      commits: [{ message: 'docs: start the documentation', files: readSampleDocs() }],
    })
  }
  return {
    url: host.url,
    sampleUrl: `${host.url}/${SAMPLE}`,
    env: {
      GITHUB_TOKEN: token,
      ALLOWED_REPOSITORY_HOSTS: addHost(undefined, authority),
    },
    close: () => host.close(),
  }
}
