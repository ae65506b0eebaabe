import { z } from 'zod'

/**
 * Minimum and maximum length of a password in characters. Length is the only rule: NIST SP 800-63B
 * advises against all others.
 */
export const PASSWORD_LENGTH = { min: 12, max: 128 } as const

/** A new password. */
export const NewPassword = z
  .string()
  .min(PASSWORD_LENGTH.min, `A password must have at least ${PASSWORD_LENGTH.min} characters`)
  .max(PASSWORD_LENGTH.max, `A password must have at most ${PASSWORD_LENGTH.max} characters`)

/**
 * Name of a user: trimmed, 1 to 100 characters, without invisible characters and without
 * characters that reorder the adjacent text.
 */
export const UserName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((name) => !UNSEEN.test(name), 'contains invisible characters')

const UNSEEN = /[\p{Cc}\p{Bidi_Control}]/u

/** An email address in lower case, which identifies an account. */
export const Email = z.string().trim().toLowerCase().max(254).pipe(z.email())

/**
 * Role of a user in a project: a viewer can read; a member can also create jobs, deployments and
 * keys; an owner can also manage the project and its members.
 */
export const Role = z.enum(['owner', 'member', 'viewer'])
export type Role = z.infer<typeof Role>

/**
 * The signed-in user and the data for the pages before sign-in: the response of GET
 * /dashboard/api/session.
 */
export const DashboardSession = z.object({
  /** Null when no user is signed in. */
  user: z
    .object({
      id: z.string(),
      name: z.string(),
      email: z.string(),
      /** True for a user who has access to all projects as an owner, and to the operations page. */
      isAdmin: z.boolean(),
    })
    .nullable(),
  /**
   * `open` and `token_required`: no account exists yet. The first account is created at /setup;
   * `token_required` also requires the token from the log.
   */
  setup: z.enum(['done', 'open', 'token_required']),
  signIn: z.object({
    password: z.literal(true),
    github: z.boolean(),
    /** Null when no identity provider is configured. `name` is the label of its button. */
    oidc: z.object({ name: z.string() }).nullable(),
  }),
  /** True when visitors on the same machine are signed in automatically. */
  demo: z.boolean(),
  version: z.string(),
})
export type DashboardSession = z.infer<typeof DashboardSession>

/**
 * Body that creates the first account. `token` is in the log of the service when `setup` is
 * `token_required`.
 */
export const SetupRequest = z.object({
  name: UserName,
  email: Email,
  password: NewPassword,
  token: z.string().max(200).optional(),
})
export type SetupRequest = z.infer<typeof SetupRequest>

/**
 * Credentials of a sign-in. The rules for new passwords do not apply here, so that all wrong
 * credentials cause the same response.
 */
export const SignInRequest = z.object({
  email: z.string().trim().toLowerCase().min(1).max(254),
  password: z.string().min(1).max(1000),
})
export type SignInRequest = z.infer<typeof SignInRequest>
