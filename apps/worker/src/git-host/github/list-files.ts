import { z } from 'zod'
import type { CallOptions } from '../call-options.ts'
import type { FileList } from '../git-host.ts'
import type { GitHubClient } from './open-client.ts'
import { parseAnswer } from './parse-answer.ts'

const Tree = z.object({
  tree: z.array(z.object({ path: z.string(), type: z.string() })),
  truncated: z.boolean(),
})

export async function listFiles(
  client: GitHubClient,
  { commit, signal }: { commit: string } & CallOptions,
): Promise<FileList> {
  const response: unknown = await client.call(
    'list the files',
    (octokit, request) => octokit.rest.git.getTree({ ...client.name, tree_sha: commit, recursive: '1', request }),
    { signal },
  )
  const { tree, truncated } = parseAnswer(Tree, response, 'a tree')
  return { paths: tree.flatMap(({ path, type }) => (type === 'blob' ? [path] : [])), hasMore: truncated }
}
