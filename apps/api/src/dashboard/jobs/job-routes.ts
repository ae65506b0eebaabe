import {
  DashboardJob,
  DashboardJobPage,
  JobFilterOptions,
  JobRequest,
  JobsNeedingAttention,
  JobTexts,
  ListDashboardJobsQuery,
  ModelChoice,
  TranscriptPage,
  TranscriptQuery,
} from '@corrigenda/contracts'
import { AppError } from '@corrigenda/core/base'
import {
  countJobsNeedingAttention,
  getDashboardJob,
  getJobRequest,
  getTexts,
  listDashboardJobs,
  listJobFilterOptions,
  listModels,
  listTranscript,
} from '@corrigenda/core/jobs'
import { z } from 'zod'
import { type DashboardRoutes, ProjectParams } from '../../auth/guard.ts'
import { EVENT_STREAM } from '../../public/events/stream-events.ts'
import { toJobKey } from '../../public/jobs/job-requests.ts'
import { openJobListStreams } from './open-job-list-streams.ts'

const JobParams = ProjectParams.extend({ jobId: z.string().max(100) })
const PROJECT = '/dashboard/api/projects/:projectId'

/**
 * A project's jobs for signed-in users: the list, a stream that reports changes to the list, what the
 * form for a new job offers, and the agent's conversations with the model.
 */
export const jobRoutes: DashboardRoutes = async (app, { deps, guard }) => {
  const access = guard.role('viewer')
  const streams = openJobListStreams(deps)
  app.addHook('preClose', async () => streams.end())

  app.get(
    `${PROJECT}/jobs`,
    {
      onRequest: access,
      schema: { params: ProjectParams, querystring: ListDashboardJobsQuery, response: { 200: DashboardJobPage } },
    },
    async (request) => {
      const { projectId } = request.params
      return listDashboardJobs(deps, { projectId, ...request.query })
    },
  )

  app.get(
    `${PROJECT}/job-filter-options`,
    { onRequest: access, schema: { params: ProjectParams, response: { 200: JobFilterOptions } } },
    (request) => listJobFilterOptions(deps, request.params),
  )

  app.get(
    `${PROJECT}/jobs-needing-attention`,
    { onRequest: access, schema: { params: ProjectParams, response: { 200: JobsNeedingAttention } } },
    (request) => countJobsNeedingAttention(deps, request.params),
  )

  app.get(
    `${PROJECT}/jobs/:jobId`,
    { onRequest: access, schema: { params: JobParams, response: { 200: DashboardJob } } },
    async (request) => {
      const { projectId, jobId: id } = request.params
      return getDashboardJob(deps, { projectId, id })
    },
  )

  app.get(
    `${PROJECT}/events`,
    { onRequest: access, exposeHeadRoute: false, schema: { params: ProjectParams } },
    async (request, reply) => {
      const { userId } = guard.getUser(request)
      streams.assertCapacity(userId)
      reply.header('x-accel-buffering', 'no').header('content-type', EVENT_STREAM).hijack()
      request.detach()
      const response = reply.raw
      // Closes the connection when the stream ends, so that an idle connection does not delay a
      // shutdown.
      response.shouldKeepAlive = false
      response.writeHead(200, reply.getHeaders() as Record<string, string>)
      response.write('retry: 2000\n\n')
      const isAllowed = async () => {
        try {
          // The response headers have been sent, so the database guard's hook no longer applies.
          await deps.monitor.run(async () => access.call(app, request, reply))
          return true
        } catch (error) {
          if (error instanceof AppError && error.code !== 'service_unavailable') return false
          throw error
        }
      }
      streams.add({ response, projectId: request.params.projectId, userId, isAllowed })
      return reply
    },
  )

  app.get(
    `${PROJECT}/jobs/:jobId/texts`,
    { onRequest: access, schema: { params: JobParams, response: { 200: JobTexts } } },
    async (request, reply) => {
      const { projectId, jobId: id } = request.params
      reply.header('cache-control', 'private, no-cache')
      return getTexts(deps, { projectId, id })
    },
  )

  const member = guard.role('member')

  app.get(
    `${PROJECT}/models`,
    { onRequest: member, schema: { params: ProjectParams, response: { 200: ModelChoice } } },
    (request) => listModels(deps, request.params.projectId),
  )

  app.get(
    `${PROJECT}/jobs/:jobId/request`,
    { onRequest: member, schema: { params: JobParams, response: { 200: JobRequest } } },
    async (request) => {
      const { projectId, jobId: id } = request.params
      return getJobRequest(deps, { projectId, id })
    },
  )

  app.get(
    `${PROJECT}/jobs/:jobId/transcript`,
    {
      onRequest: access,
      schema: { params: JobParams, querystring: TranscriptQuery, response: { 200: TranscriptPage } },
    },
    async (request) => {
      const { projectId, jobId } = request.params
      const job = toJobKey({ projectId, id: jobId })
      return listTranscript(deps, { ...job, ...request.query })
    },
  )
}
