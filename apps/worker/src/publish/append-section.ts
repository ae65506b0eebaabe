import { z } from 'zod'
import { GitHubError } from '../github/github-error.ts'
import type { GitHub } from '../github/open-github.ts'
import { toSectionMark } from './build-follow-up-section.ts'
import type { RepositoryName } from './get-repository-name.ts'

/** GitHub's limit for the text of a pull request, in characters. */
const MAX_BODY = 65_536

const Body = z.object({ body: z.string().nullable() })

/**
 * Adds a follow-up's section to the end of a pull request's text, whatever people have made of the text meanwhile. May be repeated: a text that has
 * the section already is left alone, as is one without room.
 * @throws GitHubError
 */
export async function appendSection(
  deps: { github: GitHub },
  input: { name: RepositoryName; number: number; runId: string; section: string; signal: AbortSignal },
): Promise<'added' | 'there' | 'full'> {
  const { owner, repo } = input.name
  const answer: unknown = await deps.github.call(
    'read the pull request',
    (octokit, request) => octokit.rest.pulls.get({ owner, repo, pull_number: input.number, request }),
    { signal: input.signal },
  )
  const read = Body.safeParse(answer)
  if (!read.success)
    throw new GitHubError('server_error', 'The Git host answered something that is not a pull request.')
  const before = read.data.body ?? ''
  const mark = toSectionMark(input.runId)
  if (before.includes(mark)) return 'there'
  const body = `${before.trimEnd()}\n\n${mark}\n${input.section.trimEnd()}\n`
  if (body.length > MAX_BODY) return 'full'
  await deps.github.call(
    'describe the follow-up in the pull request',
    (octokit, request) => octokit.rest.pulls.update({ owner, repo, pull_number: input.number, body, request }),
    { signal: input.signal },
  )
  return 'added'
}
