import { z } from 'zod'

/** Characters of a password, shortest and longest. Length is the only rule: NIST SP 800-63B advises against all others. */
export const PASSWORD_LENGTH = { min: 12, max: 128 } as const

/** A password that is chosen now. */
export const NewPassword = z
  .string()
  .min(PASSWORD_LENGTH.min, `A password has at least ${PASSWORD_LENGTH.min} characters`)
  .max(PASSWORD_LENGTH.max, `A password has at most ${PASSWORD_LENGTH.max} characters`)

/** How people are called: trimmed, 1 to 100 characters that can be seen: none that hides or turns round what stands beside it. */
export const PersonName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((name) => !UNSEEN.test(name), 'has characters that cannot be seen')

const UNSEEN = /[\p{Cc}\p{Bidi_Control}]/u

/** An e-mail address in lower case, which is how accounts are told apart. */
export const Email = z.string().trim().toLowerCase().max(254).pipe(z.email())

/** What a person may do in a project: a viewer reads; a member works and makes keys; an owner also decides about the project and its people. */
export const Role = z.enum(['owner', 'member', 'viewer'])
export type Role = z.infer<typeof Role>

/** Who is signed in, and what the pages before that need to know: the answer of GET /dashboard/api/session. */
export const DashboardSession = z.object({
  /** Null: nobody is signed in. */
  user: z
    .object({
      id: z.string(),
      name: z.string(),
      email: z.string(),
      /** Sees all projects as an owner, and the operations page. */
      isOperator: z.boolean(),
    })
    .nullable(),
  /** `open` and `token_required`: there is no account yet; the first is made at /setup, in the second case with the token from the log. */
  setup: z.enum(['done', 'open', 'token_required']),
  signIn: z.object({
    password: z.literal(true),
    github: z.boolean(),
    /** Null: no identity provider is configured. `name` is what its button says. */
    oidc: z.object({ name: z.string() }).nullable(),
  }),
  /** Everybody on this machine is signed in by themselves. */
  demo: z.boolean(),
  version: z.string(),
})
export type DashboardSession = z.infer<typeof DashboardSession>

/** Makes the first account. `token` is in the log of the service when `setup` is `token_required`. */
export const SetupRequest = z.object({
  name: PersonName,
  email: Email,
  password: NewPassword,
  token: z.string().max(200).optional(),
})
export type SetupRequest = z.infer<typeof SetupRequest>

/** The rules for new passwords do not apply here: what is wrong is one and the same answer. */
export const SignInRequest = z.object({
  email: z.string().trim().toLowerCase().min(1).max(254),
  password: z.string().min(1).max(1000),
})
export type SignInRequest = z.infer<typeof SignInRequest>
