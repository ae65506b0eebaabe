import { z } from 'zod'
import { Email, NewPassword, PersonName } from './dashboard-session.ts'

const timestamp = z.iso.datetime({ precision: 3 })

/** A browser where the account is signed in. */
export const AccountSession = z.object({
  id: z.string(),
  createdAt: timestamp,
  /** Written every few minutes at most. */
  lastSeenAt: timestamp,
  /** Where it signed in from; null: unknown. */
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** The session of this request. */
  current: z.boolean(),
})
export type AccountSession = z.infer<typeof AccountSession>

/** The newest first. */
export const AccountSessionList = z.object({ sessions: z.array(AccountSession) })
export type AccountSessionList = z.infer<typeof AccountSessionList>

export const UpdateAccountRequest = z.object({ name: PersonName })
export type UpdateAccountRequest = z.infer<typeof UpdateAccountRequest>

/** Ends all other sessions of the account. Without a current one it sets the first, which wants a sign-in of the last minutes. */
export const ChangePasswordRequest = z.object({
  currentPassword: z.string().min(1).max(1000).optional(),
  newPassword: NewPassword,
})
export type ChangePasswordRequest = z.infer<typeof ChangePasswordRequest>

/** Where people can have an account that signs them in here. */
export const ProviderName = z.enum(['github', 'oidc'])
export type ProviderName = z.infer<typeof ProviderName>

/** An account elsewhere. `linkedAt`: since when it signs in here; null: it does not. */
export const LinkedProvider = z.object({ provider: ProviderName, linkedAt: timestamp.nullable() })
export type LinkedProvider = z.infer<typeof LinkedProvider>

/** The account of who asks. */
export const AccountDetails = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  isOperator: z.boolean(),
  createdAt: timestamp,
  hasPassword: z.boolean(),
  /** Those that are configured or linked. */
  providers: z.array(LinkedProvider),
  /** Until when the session counts as freshly signed in; it may be over. */
  freshUntil: timestamp,
  /** Projects without another owner: somebody else must become one before the account can be deleted. */
  lastOwnerOf: z.array(z.object({ id: z.string(), name: z.string() })),
  /** The only operator cannot be deleted either. */
  isLastOperator: z.boolean(),
})
export type AccountDetails = z.infer<typeof AccountDetails>

/** Shows once more who is there. The session is replaced by a fresh one. */
export const ConfirmRequest = z.object({ password: z.string().min(1).max(1000) })
export type ConfirmRequest = z.infer<typeof ConfirmRequest>

/** `url`: where the browser goes next. It comes back to `/account?linked=…`, or to `/account?error=…`. */
export const LinkStart = z.object({ url: z.url() })
export type LinkStart = z.infer<typeof LinkStart>

/** The address of the account, typed once more. */
export const DeleteAccountRequest = z.object({ email: Email })
export type DeleteAccountRequest = z.infer<typeof DeleteAccountRequest>
