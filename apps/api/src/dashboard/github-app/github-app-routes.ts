import { createHash } from 'node:crypto'
import { GITHUB_PERMISSIONS, GitHubAppManifest, GitHubAppManifestRequest, GitHubAppState } from '@corrigenda/contracts'
import { AppError } from '@corrigenda/core/base'
import {
  beginAppRegistration,
  deleteGitHubApp,
  findAppRegistration,
  findGitHubApp,
  saveGitHubApp,
  takeAppRegistration,
} from '@corrigenda/core/credentials'
import { isLoopback } from '@corrigenda/core/projects'
import { hideInLog } from '@corrigenda/core/runtime'
import { z } from 'zod'
import type { DashboardRoutes } from '../../auth/guard.ts'
import { ExchangeError, exchangeManifestCode } from './exchange-manifest-code.ts'

const STYLE = `:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 15vh auto; padding: 0 1rem }
button { font: inherit; padding: .5rem 1rem; cursor: pointer }`

/**
 * Maximum length of an App name on GitHub. The name must be unique across GitHub. The admin can
 * change the name on GitHub before creating the App.
 */
const MAX_NAME = 34

const APP = '/dashboard/api/github-app'
const StartQuery = z.object({ state: z.string().min(1).max(200) })
const CreatedQuery = z.object({ code: z.string().regex(/^[\w-]{1,200}$/), state: z.string().min(1).max(200) })

/**
 * Creates this instance's GitHub App from a manifest. An admin's browser posts the manifest to the
 * Git host. The admin confirms it there and is redirected back with a code, which the service
 * exchanges for the App's keys.
 * https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
 */
export const githubAppRoutes: DashboardRoutes = async (app, { deps, guard }) => {
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
      const state = await beginAppRegistration(guard.audited(request), { userId, organization })
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
        await deps.monitor.run(() => saveGitHubApp(guard.audited(request), { app: created }))
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error
        request.log.warn({ reason: error.message }, 'GitHub App creation failed')
        return reply.redirect('/ops?githubApp=exchange_failed', 303)
      }
      return reply.redirect('/ops?githubApp=made', 303)
    },
  )

  app.delete(APP, { onRequest: guard.admin, schema: { response: { 204: z.void() } } }, async (request, reply) => {
    await deleteGitHubApp(guard.audited(request))
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

/**
 * Manifest for registering a new App.
 * https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
 */
interface AppManifest {
  readonly name: string
  readonly url: string
  readonly description: string
  readonly redirect_url: string
  readonly public: false
  readonly default_permissions: Readonly<Record<string, 'read' | 'write'>>
  /** Absent if the Git host cannot reach this service. */
  readonly hook_attributes?: { readonly url: string; readonly active: true }
  readonly default_events?: readonly string[]
}

/**
 * Builds a manifest with the minimum permissions for jobs, checks and deployments . Includes webhooks
 * only if the Git host can reach this service. Without webhooks, pull requests are polled.
 * @param publicUrl without a trailing slash
 */
export function buildAppManifest(publicUrl: string): AppManifest {
  const { protocol, hostname } = new URL(publicUrl)
  const isReachable = protocol === 'https:' && !isLoopback(hostname)
  return {
    name: `Corrigenda ${hostname}`.slice(0, MAX_NAME).trim(),
    url: publicUrl,
    description: 'Turns prompts into pull requests on a documentation repository.',
    redirect_url: `${publicUrl}/dashboard/api/github-app/created`,
    public: false,
    default_permissions: listPermissions(),
    ...(isReachable
      ? {
          hook_attributes: { url: `${publicUrl}/v1/github/webhook`, active: true },
          default_events: [
            'check_run',
            'check_suite',
            'pull_request',
            'pull_request_review',
            'pull_request_review_comment',
            'push',
            'status',
          ],
        }
      : {}),
  }
}

/** Returns the permissions that the worker's access tokens need. */
function listPermissions(): AppManifest['default_permissions'] {
  const needed: Record<string, 'read' | 'write'> = {}
  for (const permissions of Object.values(GITHUB_PERMISSIONS)) {
    for (const [name, access] of Object.entries(permissions)) {
      if (needed[name] !== 'write') needed[name] = access
    }
  }
  return needed
}

/**
 * A page that is not part of the dashboard, because the dashboard's content security policy forbids
 * submitting forms to other hosts.
 */
interface StartPage {
  readonly html: string
  /** Content security policy that allows only the form submission to the Git host. */
  readonly policy: string
}

/** Builds the page that posts the manifest to the Git host: one button, no script. */
function buildStartPage({ action, manifest }: { action: string; manifest: string }): StartPage {
  const { origin, host } = new URL(action)
  const style = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`
  return {
    policy: `default-src 'none'; style-src ${style}; form-action ${origin}; base-uri 'none'; frame-ancestors 'none'`,
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Create GitHub App</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Create GitHub App</h1>
<p>${toHtml(host)} asks for a name and creates the app for this service. The app's keys are saved here automatically. Then install the app on your repositories.</p>
<form method="post" action="${toHtml(action)}">
<input type="hidden" name="manifest" value="${toHtml(manifest)}">
<button type="submit">Continue to ${toHtml(host)}</button>
</form>
<p><a href="/ops">Back to Operations</a></p>
</main>
</body>
</html>
`,
  }
}

const toHtml = (text: string): string => text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
