import path from 'node:path'
import { type GitHost, type MessagesApi, promptModelScript, startGitHost, startMessagesApi } from '@corrigenda/testkit'

/**
 * The service's external systems, replaced by strict servers on loopback: a Git host with
 * repositories, and the model API.
 */
export interface Outside {
  readonly host: GitHost
  readonly model: MessagesApi
  /** Initial tip of each repository's base branch. */
  readonly bases: ReadonlyMap<string, string>
  addRepository(full: string): Promise<void>
  close(): Promise<void>
}

export async function openOutside(dir: string, pages: ReadonlyMap<string, string>): Promise<Outside> {
  const host = await startGitHost({ root: path.join(dir, 'repositories') })
  const model = await startMessagesApi({ modelScript: promptModelScript, keepBodies: 20 })
  const bases = new Map<string, string>()
  const files = new Map([...pages].map(([file, data]) => [file, { data }]))
  return {
    host,
    model,
    bases,
    async addRepository(full) {
      await host.createRepository(full, { commits: [{ message: 'docs: start', files }] })
      bases.set(full, (await host.git(full, 'rev-parse', 'main')).trim())
    },
    async close() {
      await model.close()
      await host.close()
    },
  }
}
