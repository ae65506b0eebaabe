import { z } from 'zod'
import { Email } from './dashboard-session.ts'

const timestamp = z.iso.datetime({ precision: 3 })

/** A user account, as shown to admins. */
export const OpsUser = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  /** False if anyone could have chosen the address. */
  emailVerified: z.boolean(),
  /** True for an admin, who is also an owner of every project. */
  isAdmin: z.boolean(),
  /** The group of the identity provider that makes the user an admin. Null: none. */
  adminGroup: z.string().nullable(),
  createdAt: timestamp,
  /** Null if the user has no session. */
  lastSeenAt: timestamp.nullable(),
  signsInWith: z.array(z.enum(['password', 'github', 'oidc'])),
  /** Number of projects that the user is a member of. */
  projects: z.number().int().nonnegative(),
  /** True for the requesting user. */
  you: z.boolean(),
})
export type OpsUser = z.infer<typeof OpsUser>

/** Users, oldest account first. */
export const OpsUserList = z.object({ users: z.array(OpsUser) })
export type OpsUserList = z.infer<typeof OpsUserList>

/** Request body for granting or revoking admin access. A change ends the user's sessions. */
export const UpdateOpsUserRequest = z.object({ isAdmin: z.boolean() })
export type UpdateOpsUserRequest = z.infer<typeof UpdateOpsUserRequest>

/** Request body for deleting an account. The account's email address is the confirmation. */
export const DeleteUserRequest = z.object({ email: Email })
export type DeleteUserRequest = z.infer<typeof DeleteUserRequest>
