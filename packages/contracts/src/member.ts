import { z } from 'zod'
import { Email, NewPassword, Role, UserName } from './dashboard-session.ts'

const timestamp = z.iso.datetime({ precision: 3 })

/** Days until an invitation expires. */
export const INVITATION_DAYS = 7

/** A member of a project. */
export const Member = z.object({
  userId: z.string(),
  name: z.string(),
  email: z.string(),
  /** False if anyone could have chosen the address. */
  emailVerified: z.boolean(),
  role: Role,
  /**
   * The group of the identity provider that gives the member this role or a lower one. Null: none.
   * The member cannot be removed while the group does.
   */
  group: z.object({ name: z.string(), role: Role }).nullable(),
  createdAt: timestamp,
  /** True for the requesting user. */
  you: z.boolean(),
})
export type Member = z.infer<typeof Member>

/** An invitation that is still valid. Its link is returned only once, when it is created. */
export const Invitation = z.object({
  id: z.string(),
  /** Null if any user with the link can accept it. */
  email: z.string().nullable(),
  role: Role,
  createdAt: timestamp,
  expiresAt: timestamp,
  /** Name of the user who created it; null if it was created on the command line. */
  createdBy: z.string().nullable(),
})
export type Invitation = z.infer<typeof Invitation>

/** Members, oldest first, and invitations, newest first. */
export const MemberList = z.object({ members: z.array(Member), invitations: z.array(Invitation) })
export type MemberList = z.infer<typeof MemberList>

/**
 * Request body for creating an invitation. With an email address, only an account with that address
 * can accept the invitation.
 */
export const CreateInvitationRequest = z.object({ role: Role, email: Email.nullish() })
export type CreateInvitationRequest = z.infer<typeof CreateInvitationRequest>

/** `url` contains the token, which no other response contains. */
export const CreatedInvitation = z.object({ id: z.string(), url: z.url(), expiresAt: timestamp })
export type CreatedInvitation = z.infer<typeof CreatedInvitation>

export const UpdateMemberRequest = z.object({ role: Role })
export type UpdateMemberRequest = z.infer<typeof UpdateMemberRequest>

/** The invitation that a link refers to. */
export const InvitationFacts = z.object({ projectName: z.string(), role: Role, email: z.string().nullable() })
export type InvitationFacts = z.infer<typeof InvitationFacts>

/** `{}` for a signed-in user. Otherwise, the details of the account to create. */
export const AcceptInvitationRequest = z.union([
  z.strictObject({ name: UserName, email: Email, password: NewPassword }),
  z.strictObject({}),
])
export type AcceptInvitationRequest = z.infer<typeof AcceptInvitationRequest>

export const AcceptedInvitation = z.object({ projectId: z.string() })
export type AcceptedInvitation = z.infer<typeof AcceptedInvitation>
