import { z } from 'zod'
import { Email } from './dashboard-session.ts'

const timestamp = z.iso.datetime({ precision: 3 })

/** A user with an account, in the view of operators. */
export const OpsPerson = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  /** True for an owner of every project with the permissions of an operator. */
  isAdmin: z.boolean(),
  createdAt: timestamp,
  /** Null when the user has no session. */
  lastSeenAt: timestamp.nullable(),
  signsInWith: z.array(z.enum(['password', 'github', 'oidc'])),
  /** Number of projects of which the user is a member. */
  projects: z.number().int().nonnegative(),
  /** True for the requesting user. */
  you: z.boolean(),
})
export type OpsPerson = z.infer<typeof OpsPerson>

/** Users, oldest account first. */
export const OpsPersonList = z.object({ people: z.array(OpsPerson) })
export type OpsPersonList = z.infer<typeof OpsPersonList>

/** Body that changes the operator flag. Each change ends the sessions of the user. */
export const UpdateOpsPersonRequest = z.object({ isAdmin: z.boolean() })
export type UpdateOpsPersonRequest = z.infer<typeof UpdateOpsPersonRequest>

/** The e-mail address of the account, as confirmation. */
export const DeletePersonRequest = z.object({ email: Email })
export type DeletePersonRequest = z.infer<typeof DeletePersonRequest>
