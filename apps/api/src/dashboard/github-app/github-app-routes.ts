import { GitHubAppManifest, GitHubAppManifestRequest, GitHubAppState } from '@corrigenda/contracts'
import { AppError } from '@corrigenda/core/base'
import {
  beginAppRegistration,
  deleteGitHubApp,
  findAppRegistration,
  findGitHubApp,
  saveGitHubApp,
  takeAppRegistration,
} from '@corrigenda/core/credentials'
import { hideInLog } from '@corrigenda/core/runtime'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guard } from '../../auth/guard.ts'
import type { ApiDeps } from '../../http/deps.ts'
import { buildAppManifest } from './build-app-manifest.ts'
import { buildStartPage } from './build-start-page.ts'
import { ExchangeError, exchangeManifestCode } from './exchange-manifest-code.ts'

const APP = '/dashboard/api/github-app'
const StartQuery = z.object({ state: z.string().min(1).max(200) })
const CreatedQuery = z.object({ code: z.string().regex(/^[\w-]{1,200}$/), state: z.string().min(1).max(200) })

/**
 * Creates this instance's GitHub App from a manifest. An admin's browser posts the manifest to the
 * Git host. The admin confirms it there and is redirected back with a code, which the service
 * exchanges for the App's keys.
 * https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
 */
export const githubAppRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; guard: Guard }> = async (app, { deps, guard }) => {
  const host = toGitHostAddress(deps.githubApiUrl)
  const manifest = JSON.stringify(buildAppManifest(deps.publicUrl))
  const toAction = (organization: string | null, state: string) => {
    const owner = organization === null ? '' : `/organizations/${encodeURIComponent(organization)}`
    return `${host.webUrl}${owner}/settings/apps/new?state=${encodeURIComponent(state)}`
  }

  app.get(APP, { onRequest: guard.user, schema: { response: { 200: GitHubAppState } } }, async () => ({
    app: await findGitHubApp(deps),
  }))

  app.post(
    `${APP}/manifest`,
    { onRequest: guard.admin, schema: { body: GitHubAppManifestRequest, response: { 200: GitHubAppManifest } } },
    async (request) => {
      const { organization = null } = request.body
      const { userId } = guard.getUser(request)
      const state = await beginAppRegistration({ ...deps, audit: guard.getAudit(request) }, { userId, organization })
      const start = `${APP}/start?state=${encodeURIComponent(state)}`
      return { action: toAction(organization, state), manifest, state, start }
    },
  )

  app.get(
    `${APP}/start`,
    { onRequest: guard.adminPage, schema: { querystring: StartQuery } },
    async (request, reply) => {
      const { state } = request.query
      const { userId } = guard.getUser(request)
      const registration = await findAppRegistration(deps, { state, userId })
      if (registration === null) throw new AppError('not_found', 'Not found.')
      const page = buildStartPage({ action: toAction(registration.organization, state), manifest })
      return reply
        .header('content-security-policy', page.policy)
        .header('referrer-policy', 'strict-origin')
        .header('cross-origin-opener-policy', 'same-origin')
        .type('text/html; charset=utf-8')
        .send(page.html)
    },
  )

  // The Git host redirects the browser here, so the route responds with redirects to pages. The
  // single-use state proves that this service started the flow.
  app.get(
    `${APP}/created`,
    // The handler guards each database call itself, because it also waits for the Git host.
    { onRequest: guard.adminPage, config: { database: 'handler' }, schema: { querystring: CreatedQuery } },
    async (request, reply) => {
      const { code, state } = request.query
      const user = guard.getUser(request)
      const isKnownState = await deps.monitor.run(() => takeAppRegistration(deps, { state, userId: user.userId }))
      if (!isKnownState) return reply.redirect('/ops?githubApp=state_unknown', 303)
      try {
        const created = await exchangeManifestCode(host, code)
        for (const secret of [created.privateKey, created.webhookSecret, created.clientSecret]) {
          if (secret !== null) hideInLog(deps.log, secret)
        }
        await deps.monitor.run(() => saveGitHubApp({ ...deps, audit: guard.getAudit(request) }, { app: created }))
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error
        request.log.warn({ reason: error.message }, 'GitHub App creation failed')
        return reply.redirect('/ops?githubApp=exchange_failed', 303)
      }
      return reply.redirect('/ops?githubApp=made', 303)
    },
  )

  app.delete(APP, { onRequest: guard.admin, schema: { response: { 204: z.void() } } }, async (request, reply) => {
    await deleteGitHubApp({ ...deps, audit: guard.getAudit(request) })
    return reply.code(204).send(undefined)
  })
}

/** The Git host's API and web URLs, without a trailing slash. */
interface GitHostAddress {
  readonly apiUrl: string
  readonly webUrl: string
}

/**
 * Returns the URLs of the Git host where Apps are registered. github.com and GitHub Enterprise
 * Cloud have a separate API host. GitHub Enterprise Server serves its API under its own URL.
 * @param configured GITHUB_API_URL, or null for github.com
 */
export function toGitHostAddress(configured: string | null): GitHostAddress {
  if (configured === null) return { apiUrl: 'https://api.github.com', webUrl: 'https://github.com' }
  const apiUrl = configured.replace(/\/+$/, '')
  const { protocol, host } = new URL(apiUrl)
  const hasApiHost = host === 'api.github.com' || (host.startsWith('api.') && host.endsWith('.ghe.com'))
  return { apiUrl, webUrl: `${protocol}//${hasApiHost ? host.slice('api.'.length) : host}` }
}
