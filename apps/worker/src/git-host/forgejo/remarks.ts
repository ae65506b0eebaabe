import { z } from 'zod'
import type { GitHost, Remark } from '../git-host.ts'
import { GitHostError } from '../git-host-error.ts'
import type { ForgejoRepository } from './repository.ts'

const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
const id = z.number().int()
const user = z.object({ login: z.string() }).nullish()
const Comment = z.object({ id, user, body: z.string().nullish(), created_at: time, updated_at: time })
const Line = Comment.extend({ path: z.string(), position: z.number().int().nullish() })
const Review = z.object({ id, user, body: z.string().nullish(), state: z.string(), submitted_at: time })
const Written = z.object({ id })

const PAGES = 6
const MAY_WRITE = ['owner', 'admin', 'write']
const HIDDEN = ['not_found', 'forbidden']

/**
 * Builds the calls that read and write comments on pull requests. The host has no calls for threads:
 * comments on the same line are one thread, and an answer is a review with one comment.
 */
export function buildRemarks(
  repository: ForgejoRepository,
): Pick<GitHost, 'listRemarks' | 'answerRemark' | 'mayWrite'> {
  return {
    async listRemarks({ number, since, signal }) {
      const context = { what: 'read the comments', subject: `pull request ${number}`, signal }
      const comments = await repository.list(
        {
          ...context,
          path: `/issues/${number}/comments`,
          query: { since: since?.toISOString() },
          schema: z.array(Comment),
        },
        { pages: PAGES },
      )
      const path = `/pulls/${number}/reviews`
      const reviews = await repository.list({ ...context, path, schema: z.array(Review) }, { pages: PAGES })
      const submitted = reviews.filter((one) => one.state !== 'PENDING')
      const remarks = [
        ...comments.map((one) => toRemark(`comment:${one.id}`, one, one.created_at)),
        ...submitted
          .filter((one) => since === null || one.submitted_at >= since)
          .map((one) => ({
            ...toRemark(`review:${one.id}`, one, one.submitted_at),
            requestsChanges: one.state === 'REQUEST_CHANGES',
          })),
      ]
      for (const review of submitted) {
        const lines = await repository.call({
          ...context,
          path: `${path}/${review.id}/comments`,
          schema: z.array(Line),
        })
        for (const line of lines) {
          if (since !== null && line.updated_at < since) continue
          remarks.push({
            ...toRemark(`line:${line.id}`, line, line.created_at),
            thread: `${line.position ?? 0}:${line.path}`,
            review: `review:${review.id}`,
            path: line.path,
            line: line.position ?? null,
          })
        }
      }
      return remarks.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
    },

    async answerRemark({ number, thread, previous, body, signal }) {
      const context = {
        what: 'answer a comment',
        subject: `pull request ${number}, or the comment,`,
        schema: Written,
        signal,
      }
      const [, previousId] = previous?.split(':') ?? []
      if (previousId !== undefined) {
        await repository.call({ ...context, method: 'PATCH', path: `/issues/comments/${previousId}`, body: { body } })
        return
      }
      if (thread === null) {
        await repository.call({ ...context, method: 'POST', path: `/issues/${number}/comments`, body: { body } })
        return
      }
      const [, line = '0', path = ''] = /^(\d+):(.*)$/s.exec(thread) ?? []
      const comments = [{ path, new_position: Number(line), body }]
      await repository.call({
        ...context,
        method: 'POST',
        path: `/pulls/${number}/reviews`,
        body: { event: 'COMMENT', comments },
      })
    },

    // The host reports the permission of others only to administrators of the repository.
    async mayWrite({ login, signal }) {
      try {
        const { permission } = await repository.call({
          what: "read a user's permission",
          path: `/collaborators/${encodeURIComponent(login)}/permission`,
          schema: z.object({ permission: z.string() }),
          signal,
        })
        return MAY_WRITE.includes(permission)
      } catch (error) {
        if (error instanceof GitHostError && HIDDEN.includes(error.code)) return false
        throw error
      }
    },
  }
}

function toRemark(id: string, written: Pick<z.infer<typeof Comment>, 'user' | 'body'>, createdAt: Date): Remark {
  return {
    id,
    thread: null,
    review: null,
    requestsChanges: false,
    author: written.user?.login ?? null,
    isBot: false,
    body: written.body ?? '',
    path: null,
    line: null,
    createdAt,
  }
}
