import { z } from 'zod'
import { Email, NewPassword, UserName } from './dashboard-session.ts'

const timestamp = z.iso.datetime({ precision: 3 })

/** A browser that is signed in to the account. */
export const AccountSession = z.object({
  id: z.string(),
  createdAt: timestamp,
  /** Updated at most every few minutes. */
  lastSeenAt: timestamp,
  /** The client's IP address at sign-in; null if unknown. */
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** True for the session that sent this request. */
  current: z.boolean(),
})
export type AccountSession = z.infer<typeof AccountSession>

/** Sessions, newest first. */
export const AccountSessionList = z.object({ sessions: z.array(AccountSession) })
export type AccountSessionList = z.infer<typeof AccountSessionList>

export const UpdateAccountRequest = z.object({ name: UserName })
export type UpdateAccountRequest = z.infer<typeof UpdateAccountRequest>

/**
 * Request body for changing the password, which ends the account's other sessions. Omit
 * `currentPassword` to set a first password, which requires a sign-in within the last few minutes.
 */
export const ChangePasswordRequest = z.object({
  currentPassword: z.string().min(1).max(1000).optional(),
  newPassword: NewPassword,
})
export type ChangePasswordRequest = z.infer<typeof ChangePasswordRequest>

/** Identity providers that users can sign in with. */
export const ProviderName = z.enum(['github', 'oidc'])
export type ProviderName = z.infer<typeof ProviderName>

/**
 * An identity provider. `linkedAt` is null if the user has not linked an account with this
 * provider.
 */
export const LinkedProvider = z.object({ provider: ProviderName, linkedAt: timestamp.nullable() })
export type LinkedProvider = z.infer<typeof LinkedProvider>

/** The requesting user's account. */
export const AccountDetails = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  isAdmin: z.boolean(),
  createdAt: timestamp,
  hasPassword: z.boolean(),
  /** Providers that are configured or linked. */
  providers: z.array(LinkedProvider),
  /** The session counts as freshly signed in until this time, which may be in the past. */
  freshUntil: timestamp,
  /** Projects whose only owner is this user. They prevent the account from being deleted. */
  lastOwnerOf: z.array(z.object({ id: z.string(), name: z.string() })),
  /** True if the user is the only admin, whose account cannot be deleted. */
  isLastAdmin: z.boolean(),
})
export type AccountDetails = z.infer<typeof AccountDetails>

/** Request body for confirming the user's identity. A fresh session replaces the current one. */
export const ConfirmRequest = z.object({ password: z.string().min(1).max(1000) })
export type ConfirmRequest = z.infer<typeof ConfirmRequest>

/**
 * `url` is the provider's page to open in the browser. It returns to the page that the request was
 * sent from, with `?error=…` if the sign-in failed.
 */
export const ProviderStart = z.object({ url: z.url() })
export type ProviderStart = z.infer<typeof ProviderStart>

/** Request body for deleting the account. The account's email address is the confirmation. */
export const DeleteAccountRequest = z.object({ email: Email })
export type DeleteAccountRequest = z.infer<typeof DeleteAccountRequest>
