import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { withoutDatabase } from '../../http/guard-database.ts'

/** The dashboard's page paths. All of them serve one document with client-side routing. */
const PAGE_PATHS: readonly string[] = [
  '/',
  '/setup',
  '/sign-in',
  '/sign-in/link',
  '/invitations/:token',
  '/account',
  '/projects',
  '/projects/:projectId',
  '/projects/:projectId/setup-guide',
  '/projects/:projectId/welcome',
  '/projects/:projectId/jobs',
  '/projects/:projectId/jobs/new',
  '/projects/:projectId/jobs/:jobId',
  '/projects/:projectId/keys',
  '/projects/:projectId/members',
  '/projects/:projectId/settings',
  '/projects/:projectId/audit',
  '/projects/:projectId/usage',
  '/ops',
  '/ops/audit',
]

/**
 * Under these paths, requests for unknown URLs return a page instead of JSON, because users may
 * follow links to these URLs or type them.
 */
const PAGE_FOLDERS: readonly string[] = ['/projects/*', '/invitations/*']

/** Allows neither external nor inline resources. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Serves the built dashboard in `dir`: its files, whose names contain a content hash, and the
 * single document for all pages.
 */
export const dashboardPages: FastifyPluginAsync<{ dir: string }> = async (app, { dir }) => {
  withoutDatabase(app)
  await app.register(fastifyStatic, {
    root: path.join(dir, 'assets'),
    prefix: '/assets/',
    decorateReply: false,
    index: false,
    // The build is one flat folder of files. All other paths return 404.
    allowedPath: (name) => /^\/?[\w-]+(\.[\w-]+)+$/.test(name),
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    setHeaders: (reply) => void reply.header('vary', 'accept-encoding'),
  })
  const sendPage = async (reply: FastifyReply) =>
    reply
      .header('content-security-policy', POLICY)
      .header('referrer-policy', 'no-referrer')
      .header('cross-origin-opener-policy', 'same-origin')
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      // Read on each request, so that a new build takes effect at the next navigation.
      .send(await readFile(path.join(dir, 'index.html')))
  for (const url of PAGE_PATHS) app.get(url, (_request, reply) => sendPage(reply))
  for (const url of PAGE_FOLDERS) app.get(url, (_request, reply) => sendPage(reply.code(404)))
}

/**
 * Returns the folder of the dashboard build, or null if the dashboard has not been built. The
 * folder has the same relative path in the source tree, the build output and the image.
 */
export function findBuiltDashboard(): string | null {
  const index = new URL('../../../../dashboard/dist/index.html', import.meta.url)
  return existsSync(index) ? fileURLToPath(new URL('.', index)) : null
}
