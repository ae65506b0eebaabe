import { z } from 'zod'
import { NewPassword, PersonName } from './dashboard-session.ts'

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

/** Ends all other sessions of the account. */
export const ChangePasswordRequest = z.object({
  currentPassword: z.string().min(1).max(1000),
  newPassword: NewPassword,
})
export type ChangePasswordRequest = z.infer<typeof ChangePasswordRequest>
