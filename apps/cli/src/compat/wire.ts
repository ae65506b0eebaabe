import { z } from 'zod'

/**
 * The hosted API's job record. All of these fields are always present. Additional fields are
 * allowed, because clients ignore unknown fields.
 */
export const HostedJob = z.looseObject({
  id: z.string().min(1),
  status: z.enum(['active', 'completed', 'archived', 'failed']),
  source: z.looseObject({ repository: z.url({ protocol: /^https?$/ }), ref: z.string().nullable() }),
  model: z.string(),
  prLink: z.url({ protocol: /^https?$/ }).nullable(),
  createdAt: z.iso.datetime({ offset: true }),
  archivedAt: z.iso.datetime({ offset: true }).nullable(),
})
export type HostedJob = z.infer<typeof HostedJob>

export const HostedError = z.looseObject({ error: z.string().min(1) })

export const HostedUpdate = z.looseObject({ statusId: z.string().min(1) })

export const HostedPreview = HostedUpdate.extend({ previewUrl: z.url({ protocol: /^https?$/ }) })

/** A deployment's status. `commit` is null or missing until it is known. */
export const HostedUpdateStatus = z.looseObject({
  _id: z.string(),
  projectId: z.string(),
  createdAt: z.iso.datetime({ offset: true }),
  endedAt: z.iso.datetime({ offset: true }).nullable(),
  status: z.enum(['queued', 'in_progress', 'success', 'failure']),
  summary: z.string(),
  logs: z.array(z.string()),
  subdomain: z.string(),
  screenshot: z.string(),
  screenshotLight: z.string(),
  screenshotDark: z.string(),
  author: z.looseObject({ name: z.string() }).nullable(),
  commit: z
    .looseObject({
      sha: z.string(),
      ref: z.string(),
      message: z.string(),
      filesChanged: z.looseObject({
        added: z.array(z.string()),
        modified: z.array(z.string()),
        removed: z.array(z.string()),
      }),
    })
    .nullish(),
  source: z.enum(['internal', 'github-app-installation', 'api', 'github', 'dashboard', 'gitlab', 'onboarding']),
})

/** A job in the form of version 1. The spelling of the fields is that of the hosted API. */
export const HostedSession = z.looseObject({
  sessionId: z.string().min(1),
  subdomain: z.string(),
  branch: z.string().nullable(),
  haulted: z.boolean(),
  haultReason: z.enum(['completed', 'github_missconfigured', 'error', 'processing', 'interrupted']),
  pullRequestLink: z.string(),
  messageToUser: z.string(),
  todos: z.array(
    z.looseObject({
      content: z.string(),
      status: z.enum(['pending', 'in_progress', 'completed', 'cancelled']),
      priority: z.enum(['high', 'medium', 'low']),
      id: z.string(),
    }),
  ),
  title: z.string(),
  createdAt: z.iso.datetime({ offset: true }),
})

export const HostedSessionList = z.looseObject({ allSessions: z.array(HostedSession) })
