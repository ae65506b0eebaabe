import { z } from 'zod'
import { Email, NewPassword, UserName } from './dashboard-session.ts'

const timestamp = z.iso.datetime({ precision: 3 })

/** A browser in which the account is signed in. */
export const AccountSession = z.object({
  id: z.string(),
  createdAt: timestamp,
  /** Updated at most every few minutes. */
  lastSeenAt: timestamp,
  /** IP address of the client at sign-in; null when unknown. */
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** True for the session of this request. */
  current: z.boolean(),
})
export type AccountSession = z.infer<typeof AccountSession>

/** Sessions, newest first. */
export const AccountSessionList = z.object({ sessions: z.array(AccountSession) })
export type AccountSessionList = z.infer<typeof AccountSessionList>

export const UpdateAccountRequest = z.object({ name: UserName })
export type UpdateAccountRequest = z.infer<typeof UpdateAccountRequest>

/**
 * Body that changes a password and ends all other sessions of the account. Without a current
 * password, it sets the first one, which requires a sign-in within the last few minutes.
 */
export const ChangePasswordRequest = z.object({
  currentPassword: z.string().min(1).max(1000).optional(),
  newPassword: NewPassword,
})
export type ChangePasswordRequest = z.infer<typeof ChangePasswordRequest>

/** Providers whose accounts can sign in here. */
export const ProviderName = z.enum(['github', 'oidc'])
export type ProviderName = z.infer<typeof ProviderName>

/** An account at a provider. `linkedAt`: time at which it was linked; null if it is not linked. */
export const LinkedProvider = z.object({ provider: ProviderName, linkedAt: timestamp.nullable() })
export type LinkedProvider = z.infer<typeof LinkedProvider>

/** The account of the requesting user. */
export const AccountDetails = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  isAdmin: z.boolean(),
  createdAt: timestamp,
  hasPassword: z.boolean(),
  /** The providers that are configured or linked. */
  providers: z.array(LinkedProvider),
  /** End of the period in which the session counts as freshly signed in. It may be in the past. */
  freshUntil: timestamp,
  /** Projects without another owner. Each needs another owner before the account can be deleted. */
  lastOwnerOf: z.array(z.object({ id: z.string(), name: z.string() })),
  /** True for the only admin, whose account cannot be deleted. */
  isLastAdmin: z.boolean(),
})
export type AccountDetails = z.infer<typeof AccountDetails>

/** Body that confirms the identity of the user. The session is replaced by a fresh one. */
export const ConfirmRequest = z.object({ password: z.string().min(1).max(1000) })
export type ConfirmRequest = z.infer<typeof ConfirmRequest>

/**
 * `url`: URL that the browser opens next. The browser returns to `/account?linked=…` or
 * `/account?error=…`.
 */
export const LinkStart = z.object({ url: z.url() })
export type LinkStart = z.infer<typeof LinkStart>

/** The email address of the account, as confirmation. */
export const DeleteAccountRequest = z.object({ email: Email })
export type DeleteAccountRequest = z.infer<typeof DeleteAccountRequest>
