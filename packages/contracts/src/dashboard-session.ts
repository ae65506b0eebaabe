import { z } from 'zod'
import { DeclaredGitHost } from './git-hosts.ts'

/**
 * Minimum and maximum password length in characters. Length is the only rule, because NIST SP
 * 800-63B advises against composition rules.
 */
export const PASSWORD_LENGTH = { min: 12, max: 128 } as const

/** A new password. */
export const NewPassword = z
  .string()
  .min(PASSWORD_LENGTH.min, `A password must have at least ${PASSWORD_LENGTH.min} characters`)
  .max(PASSWORD_LENGTH.max, `A password must have at most ${PASSWORD_LENGTH.max} characters`)

/**
 * A user name: trimmed, 1 to 100 characters, without control characters or characters that reorder
 * adjacent text.
 */
export const UserName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((name) => !UNSEEN.test(name), 'contains invisible characters')

const UNSEEN = /[\p{Cc}\p{Bidi_Control}]/u

/** A lower-case email address, which identifies an account. */
export const Email = z.string().trim().toLowerCase().max(254).pipe(z.email())

/**
 * A user's role in a project. Viewers can read. Members can also create jobs, deployments and keys.
 * Owners can also manage the project and its members.
 */
export const Role = z.enum(['owner', 'member', 'viewer'])
export type Role = z.infer<typeof Role>

const RANK: Readonly<Record<Role, number>> = { viewer: 0, member: 1, owner: 2 }

/** Members have all the permissions of viewers, and owners all those of members. */
export const isAtLeast = (role: Role, needed: Role): boolean => RANK[role] >= RANK[needed]

/**
 * The signed-in user, and data for the pages that are shown before sign-in. Response to GET
 * /dashboard/api/session.
 */
export const DashboardSession = z.object({
  /** Null if no user is signed in. */
  user: z
    .object({
      id: z.string(),
      name: z.string(),
      email: z.string(),
      /** True for a user with owner access to all projects and access to the operations page. */
      isAdmin: z.boolean(),
    })
    .nullable(),
  /**
   * `open` and `token_required`: no account exists yet. The first account is created at /setup.
   * With `token_required`, this requires the token from the log.
   */
  setup: z.enum(['done', 'open', 'token_required']),
  signIn: z.object({
    /** False: passwords are turned off. */
    password: z.boolean(),
    github: z.boolean(),
    /** Null if no identity provider is configured. `name` is the label of the sign-in button. */
    oidc: z.object({ name: z.string(), hasAdminGroups: z.boolean() }).nullable(),
  }),
  /** True if visitors on the same machine are signed in automatically. */
  demo: z.boolean(),
  /** True if the demo uses the scripted model and this visitor may enter an API key for a real one. */
  mayConnectModel: z.boolean(),
  /** Git hosts other than GitHub. Empty if no user is signed in. */
  gitHosts: z.array(DeclaredGitHost),
  version: z.string(),
})
export type DashboardSession = z.infer<typeof DashboardSession>

/** Request body of POST /dashboard/api/demo/model. */
export const DemoModelRequest = z.object({
  apiKey: z
    .string()
    .trim()
    .min(8)
    .max(500)
    .regex(/^[\x21-\x7e]+$/),
})
export type DemoModelRequest = z.infer<typeof DemoModelRequest>

/**
 * Request body for creating the first account. `token` is printed in the service log and is
 * required if `setup` is `token_required`.
 */
export const SetupRequest = z.object({
  name: UserName,
  email: Email,
  password: NewPassword,
  token: z.string().max(200).optional(),
})
export type SetupRequest = z.infer<typeof SetupRequest>

/**
 * Request body for creating the first account with an identity provider. `token` is required if
 * `setup` is `token_required`.
 */
export const SetupProviderRequest = SetupRequest.pick({ token: true })
export type SetupProviderRequest = z.infer<typeof SetupProviderRequest>

/** The token of a sign-in link, which is the part of its URL after the `#`. */
export const SignInLinkRequest = z.object({ token: z.string().min(1).max(200) })
export type SignInLinkRequest = z.infer<typeof SignInLinkRequest>

/**
 * Sign-in credentials. The rules for new passwords do not apply here, so that all wrong credentials
 * receive the same response.
 */
export const SignInRequest = z.object({
  email: z.string().trim().toLowerCase().min(1).max(254),
  password: z.string().min(1).max(1000),
})
export type SignInRequest = z.infer<typeof SignInRequest>
