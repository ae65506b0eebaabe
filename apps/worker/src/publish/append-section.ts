import type { GitHost } from '../git-host/git-host.ts'
import { toSectionMark } from './build-follow-up-section.ts'

/** GitHub's limit for a pull request body, in characters. */
const MAX_BODY = 65_536

/**
 * Appends a follow-up's section to a pull request body, even one that users have edited. Safe to
 * repeat, because a body that already contains the section or has no room for it is not changed.
 * @throws GitHostError
 */
export async function appendSection(
  { gitHost }: { gitHost: GitHost },
  input: { number: number; branch: string; runId: string; section: string; signal: AbortSignal },
): Promise<'added' | 'there' | 'full' | 'gone'> {
  const { number, branch, signal } = input
  const pull = await gitHost.findPullRequest({ number, branch, signal })
  if (pull === null) return 'gone'
  const before = pull.body
  const mark = toSectionMark(input.runId)
  if (before.includes(mark)) return 'there'
  const body = `${before.trimEnd()}\n\n${mark}\n${input.section.trimEnd()}\n`
  if (body.length > MAX_BODY) return 'full'
  await gitHost.updatePullRequest({ number, body, signal })
  return 'added'
}
