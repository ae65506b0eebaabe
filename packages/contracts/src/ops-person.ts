import { z } from 'zod'
import { Email } from './dashboard-session.ts'

const timestamp = z.iso.datetime({ precision: 3 })

/** Somebody with an account, as operators see them. */
export const OpsPerson = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  /** Owner of every project, and may do what only operators may. */
  isOperator: z.boolean(),
  createdAt: timestamp,
  /** Null: signed in nowhere. */
  lastSeenAt: timestamp.nullable(),
  signsInWith: z.array(z.enum(['password', 'github', 'oidc'])),
  /** How many projects they are a member of. */
  projects: z.number().int().nonnegative(),
  /** It is who asks. */
  you: z.boolean(),
})
export type OpsPerson = z.infer<typeof OpsPerson>

/** From the oldest account on. */
export const OpsPersonList = z.object({ people: z.array(OpsPerson) })
export type OpsPersonList = z.infer<typeof OpsPersonList>

/** Either ends the sessions of the person. */
export const UpdateOpsPersonRequest = z.object({ isOperator: z.boolean() })
export type UpdateOpsPersonRequest = z.infer<typeof UpdateOpsPersonRequest>

/** The address of the account, typed once more. */
export const DeletePersonRequest = z.object({ email: Email })
export type DeletePersonRequest = z.infer<typeof DeletePersonRequest>
