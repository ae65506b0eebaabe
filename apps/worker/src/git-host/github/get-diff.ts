import type { CallOptions } from '../call-options.ts'
import type { GitHubClient } from './open-client.ts'

export async function getDiff(
  client: GitHubClient,
  { number, signal }: { number: number } & CallOptions,
): Promise<string> {
  // With this media type, the response is text, which the client library's types do not reflect.
  const diff: unknown = await client.call(
    'read the diff',
    (octokit, request) =>
      octokit.rest.pulls.get({ ...client.name, pull_number: number, mediaType: { format: 'diff' }, request }),
    { signal },
  )
  return String(diff)
}
