import { z } from 'zod'
import type { GitHost, Remark } from '../git-host.ts'
import { GitHostError } from '../git-host-error.ts'
import { neutralizeCommands } from './neutralize-commands.ts'
import type { GitLabProject } from './open-project.ts'

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
const Note = z.object({
  id: z.number().int(),
  body: z.string(),
  author: z.object({ username: z.string() }).nullish(),
  system: z.boolean(),
  position: z
    .object({ new_path: z.string().nullish(), old_path: z.string().nullish(), new_line: z.number().int().nullish() })
    .nullish(),
  created_at: time,
  updated_at: time,
})
const Discussions = z.array(z.object({ id: z.string(), individual_note: z.boolean(), notes: z.array(Note) }))
const Written = z.object({ id: z.number() })

const DEVELOPER = 30
const PAGES = 3
/** Users that GitLab creates for access tokens. */
const BOT = /^(?:project|group)_\d+_bot/

/**
 * Builds the calls that read and write comments on merge requests. GitLab does not group the comments
 * of a review.
 */
export function buildRemarks(project: GitLabProject): Pick<GitHost, 'listRemarks' | 'answerRemark' | 'mayWrite'> {
  return {
    async listRemarks({ number, since, signal }) {
      const discussions = await project.list(
        {
          what: 'read the comments',
          subject: `merge request ${number}`,
          path: `/merge_requests/${number}/discussions`,
          schema: Discussions,
          signal,
        },
        { pages: PAGES },
      )
      const remarks = discussions.flatMap(({ id, individual_note: isAlone, notes }) =>
        notes
          .filter((note) => !note.system && (since === null || note.updated_at >= since))
          .map((note) => toRemark(isAlone ? null : id, note)),
      )
      return remarks.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
    },

    async answerRemark({ number, thread, previous, body, signal }) {
      const at = `/merge_requests/${number}`
      const notes = thread === null ? `${at}/notes` : `${at}/discussions/${thread}/notes`
      const [, previousId] = previous?.split(':') ?? []
      await project.call({
        what: 'answer a comment',
        subject: `merge request ${number}, or the comment,`,
        method: previousId === undefined ? 'POST' : 'PUT',
        path: previousId === undefined ? notes : `${at}/notes/${previousId}`,
        body: { body: neutralizeCommands(body) },
        schema: Written,
        signal,
      })
    },

    async mayWrite({ login, signal }) {
      const schema = z.array(z.object({ id: z.number() }))
      const [user] = await project.callHost({
        what: 'find a user',
        path: '/users',
        query: { username: login },
        schema,
        signal,
      })
      if (user === undefined) return false
      try {
        const member = await project.call({
          what: "read a user's role",
          path: `/members/all/${user.id}`,
          schema: z.object({ access_level: z.number(), state: z.string() }),
          signal,
        })
        return member.access_level >= DEVELOPER && member.state === 'active'
      } catch (error) {
        if (error instanceof GitHostError && error.code === 'not_found') return false
        throw error
      }
    },
  }
}

function toRemark(
  thread: string | null,
  { id, author, body, position, created_at: createdAt }: z.infer<typeof Note>,
): Remark {
  return {
    id: `note:${id}`,
    thread,
    review: null,
    requestsChanges: false,
    author: author?.username ?? null,
    isBot: BOT.test(author?.username ?? ''),
    body,
    path: position?.new_path ?? position?.old_path ?? null,
    line: position?.new_line ?? null,
    createdAt,
  }
}
