import {
  DashboardJob,
  DashboardJobPage,
  JobFilterOptions,
  JobsNeedingInput,
  ListDashboardJobsQuery,
} from '@corrigenda/contracts'
import { AppError } from '@corrigenda/core/base'
import { countJobsNeedingInput, getDashboardJob, listDashboardJobs, listJobFilterOptions } from '@corrigenda/core/jobs'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guard } from '../../auth/guard.ts'
import type { ApiDeps } from '../../http/deps.ts'
import { EVENT_STREAM } from '../../public/events/stream-events.ts'
import { openJobListStreams } from './open-job-list-streams.ts'

const ProjectParams = z.object({ projectId: z.string().max(100) })
const JobParams = z.object({ projectId: z.string().max(100), jobId: z.string().max(100) })
const PROJECT = '/dashboard/api/projects/:projectId'

/**
 * Serves a project's job list to signed-in users, and a stream that reports changes to the list.
 */
export const jobListRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; guard: Guard }> = async (app, { deps, guard }) => {
  const access = guard.role('viewer')
  const streams = openJobListStreams(deps)
  app.addHook('preClose', async () => streams.end())

  app.get(
    `${PROJECT}/jobs`,
    {
      onRequest: access,
      schema: { params: ProjectParams, querystring: ListDashboardJobsQuery, response: { 200: DashboardJobPage } },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { projectId } = request.params
      return listDashboardJobs(deps, { projectId, ...request.query })
    },
  )

  app.get(
    `${PROJECT}/job-filter-options`,
    { onRequest: access, schema: { params: ProjectParams, response: { 200: JobFilterOptions } } },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return listJobFilterOptions(deps, request.params)
    },
  )

  app.get(
    `${PROJECT}/jobs-needing-input`,
    { onRequest: access, schema: { params: ProjectParams, response: { 200: JobsNeedingInput } } },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      return { count: await countJobsNeedingInput(deps, request.params) }
    },
  )

  app.get(
    `${PROJECT}/jobs/:jobId`,
    { onRequest: access, schema: { params: JobParams, response: { 200: DashboardJob } } },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
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
      reply
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        .header('content-type', EVENT_STREAM)
        .hijack()
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
}
