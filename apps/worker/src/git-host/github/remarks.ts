import { z } from 'zod'
import type { GitHost, Remark } from '../git-host.ts'
import { GitHostError } from '../git-host-error.ts'
import type { GitHubClient } from './open-client.ts'

const time = z.iso.datetime().transform((text) => new Date(text))
const id = z.number().int()
const user = z.object({ login: z.string(), type: z.string() }).nullish()
const Comment = z.object({ id, user, body: z.string().nullish(), created_at: time })
const COMMENTS = { named: 'a list of comments', schema: z.array(Comment) }
const LINES = {
  named: 'a list of comments on lines',
  schema: z.array(
    Comment.extend({
      pull_request_review_id: id.nullish(),
      in_reply_to_id: id.optional(),
      path: z.string(),
      line: z.number().int().nullish(),
    }),
  ),
}
const REVIEWS = {
  named: 'a list of reviews',
  // A pending review has no time.
  schema: z.array(z.object({ id, user, body: z.string().nullish(), state: z.string(), submitted_at: time.optional() })),
}
const WRITTEN = { named: 'a comment', schema: z.object({ id }) }
const PERMISSION = { named: 'a permission', schema: z.object({ permission: z.string() }) }

const PER_PAGE = 100
/** Pages of each list to read. */
const PAGES = [1, 2, 3]

async function readPages<T>(read: (page: { per_page: number; page: number }) => Promise<T[]>): Promise<T[]> {
  const all: T[] = []
  for (const page of PAGES) {
    const some = await read({ per_page: PER_PAGE, page })
    all.push(...some)
    if (some.length < PER_PAGE) break
  }
  return all
}

/** Builds the calls that read and write comments on pull requests. */
export function buildRemarks(client: GitHubClient): Pick<GitHost, 'listRemarks' | 'answerRemark' | 'mayWrite'> {
  return {
    async listRemarks({ number, since, signal }) {
      const subject = `pull request ${number}`
      const from = since === null ? {} : { since: since.toISOString() }
      const comments = await readPages((page) =>
        client.call({
          what: 'read the comments',
          subject,
          answer: COMMENTS,
          run: (octokit, request) =>
            octokit.rest.issues.listComments({ ...client.name, issue_number: number, ...from, ...page, request }),
          signal,
        }),
      )
      const lines = await readPages((page) =>
        client.call({
          what: 'read the comments on lines',
          subject,
          answer: LINES,
          run: (octokit, request) =>
            octokit.rest.pulls.listReviewComments({ ...client.name, pull_number: number, ...from, ...page, request }),
          signal,
        }),
      )
      // After the comments, so that the review of each comment is listed.
      const reviews = await readPages((page) =>
        client.call({
          what: 'read the reviews',
          subject,
          answer: REVIEWS,
          run: (octokit, request) =>
            octokit.rest.pulls.listReviews({ ...client.name, pull_number: number, ...page, request }),
          signal,
        }),
      )
      const remarks = [
        ...comments.map((one) => toRemark('comment', one, one.created_at, {})),
        ...lines.map((one) =>
          toRemark('line', one, one.created_at, {
            thread: String(one.in_reply_to_id ?? one.id),
            review: one.pull_request_review_id ? `review:${one.pull_request_review_id}` : null,
            path: one.path,
            line: one.line ?? null,
          }),
        ),
        ...reviews.flatMap((one) =>
          // The host lists all reviews. GitHub's times have no milliseconds.
          one.submitted_at === undefined || (since !== null && one.submitted_at.getTime() < since.getTime() - 1000)
            ? []
            : toRemark('review', one, one.submitted_at, { requestsChanges: one.state === 'CHANGES_REQUESTED' }),
        ),
      ]
      return remarks.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
    },

    async answerRemark({ number, thread, previous, body, signal }) {
      const [, previousId = null] = previous?.split(':') ?? []
      await client.call({
        what: 'answer a comment',
        subject: `pull request ${number}, or the comment,`,
        answer: WRITTEN,
        run: ({ rest }, request) => {
          const common = { ...client.name, body, request }
          if (previousId !== null) {
            const edited = { ...common, comment_id: Number(previousId) }
            return thread === null ? rest.issues.updateComment(edited) : rest.pulls.updateReviewComment(edited)
          }
          return thread === null
            ? rest.issues.createComment({ ...common, issue_number: number })
            : rest.pulls.createReplyForReviewComment({ ...common, pull_number: number, comment_id: Number(thread) })
        },
        retries: 0,
        signal,
      })
    },

    async mayWrite({ login, signal }) {
      try {
        const { permission } = await client.call({
          what: "read a user's permission",
          answer: PERMISSION,
          run: (octokit, request) =>
            octokit.rest.repos.getCollaboratorPermissionLevel({ ...client.name, username: login, request }),
          signal,
        })
        return permission === 'admin' || permission === 'write'
      } catch (error) {
        if (error instanceof GitHostError && error.code === 'not_found') return false
        throw error
      }
    },
  }
}

type Written = { readonly id: number; readonly user?: z.infer<typeof user>; readonly body?: string | null | undefined }

function toRemark(kind: string, written: Written, createdAt: Date, some: Partial<Remark>): Remark {
  return {
    id: `${kind}:${written.id}`,
    thread: null,
    review: null,
    requestsChanges: false,
    author: written.user?.login ?? null,
    isBot: written.user?.type === 'Bot',
    body: written.body ?? '',
    path: null,
    line: null,
    createdAt,
    ...some,
  }
}
