import { buildGitHttp, type GitHttpOptions } from '../http/git-http.ts'
import { findBranchTip } from '../http/list-refs.ts'
import { encodePkt, FLUSH_PKT } from '../http/pkt-line.ts'

/**
 * Deletes a branch only if it is at the expected commit. The host checks this condition. Returns
 * true if the branch no longer exists.
 * @throws {GitHttpError}
 */
export async function deleteBranch(input: {
  http: GitHttpOptions
  branch: string
  expected: string
}): Promise<boolean> {
  const { branch, expected } = input
  const http = { ...input.http, remotes: input.http.remotes ?? new Map() }
  const tip = await findBranchTip(http, branch)
  if (tip === null) return true
  if (tip.commit !== expected) return false
  const command = `${expected} ${'0'.repeat(40)} refs/heads/${branch}\0 report-status delete-refs agent=git/corrigenda`
  await buildGitHttp(http).postOnce('git-receive-pack', Buffer.concat([encodePkt(command), FLUSH_PKT]))
  return (await findBranchTip(http, branch)) === null
}
