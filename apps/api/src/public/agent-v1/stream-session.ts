import { type CreatedJob, getJob, getJobBranch } from '@corrigenda/core/jobs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../auth/authenticate.ts'
import type { ApiDeps } from '../../http/deps.ts'
import { setQuotaHeaders } from '../../http/quota-headers.ts'
import { openStream, setStreamHeaders, toReader } from '../events/stream-events.ts'
import { INTERRUPTED, toEventFrames, toFirstFrames, toLastFrames, UI_STREAM_HEADERS } from './session-frames.ts'
import { toSession } from './to-session.ts'

/**
 * Streams an accepted job from its first event to its end, in the format of version 1. The stream of
 * a replayed request starts at the first event, too. The job does not depend on the stream.
 */
export async function streamSession(
  deps: Pick<ApiDeps, 'prisma' | 'pool' | 'events'>,
  { projectId, created, caller }: { projectId: string; created: CreatedJob; caller: Caller },
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const { id } = created.job
  const branch = await getJobBranch(deps, { projectId, id })
  if (created.quota) setQuotaHeaders(reply, created.quota)
  if (created.replayed) reply.header('idempotent-replayed', 'true')
  setStreamHeaders(reply)
  reply.headers({ ...UI_STREAM_HEADERS, 'x-session-id': id, 'x-branch-name': toHeader(branch) })
  const format = {
    toText: toEventFrames,
    buildEnd: async () => toLastFrames(toSession(await getJob(deps, { projectId, id }))),
    interrupted: INTERRUPTED,
  }
  request.detach()
  openStream(reply, toFirstFrames(id), (response) =>
    deps.events.add({ response, jobId: id, projectId, identity: toReader(caller), position: 0, format }),
  )
  return reply
}

/** Encodes characters that a header cannot contain. */
const toHeader = (branch: string): string => branch.replace(/[^\x21-\x7e]/gu, encodeURIComponent)
