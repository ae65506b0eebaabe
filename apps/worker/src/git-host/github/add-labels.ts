import type { CallOptions } from '../call-options.ts'
import type { GitHubClient } from './open-client.ts'

export async function addLabels(
  client: GitHubClient,
  { number, labels, signal }: { number: number; labels: readonly string[] } & CallOptions,
): Promise<void> {
  await client.call(
    'label the pull request',
    (octokit, request) =>
      octokit.rest.issues.addLabels({ ...client.name, issue_number: number, labels: [...labels], request }),
    { signal, retries: 0 },
  )
}
