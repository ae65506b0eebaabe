import { z } from 'zod'
import type { CallOptions } from '../call-options.ts'
import type { FolderFile } from '../git-host.ts'
import { GitHostError } from '../git-host-error.ts'
import type { GitHubClient } from './open-client.ts'

const MAX_FILES = 50
const Entries = z.array(z.object({ type: z.string(), name: z.string(), path: z.string() }))
const File = z.object({ type: z.literal('file'), encoding: z.literal('base64'), content: z.string() })

export async function readFolder(
  client: GitHubClient,
  { path, ref, signal }: { path: string; ref: string } & CallOptions,
): Promise<FolderFile[]> {
  const read = async (path: string): Promise<unknown> =>
    client.call(
      'read a folder',
      (octokit, request) => octokit.rest.repos.getContent({ ...client.name, path, ref, request }),
      { signal },
    )
  const entries = Entries.safeParse(
    await read(path).catch((error: unknown) => {
      if (error instanceof GitHostError && error.code === 'not_found') return []
      throw error
    }),
  )
  const files = entries.success ? entries.data.filter(({ type }) => type === 'file').slice(0, MAX_FILES) : []
  const found: FolderFile[] = []
  for (const { name, path } of files) {
    const file = File.safeParse(await read(path))
    if (file.success) found.push({ name, bytes: Buffer.from(file.data.content, 'base64') })
  }
  return found
}
