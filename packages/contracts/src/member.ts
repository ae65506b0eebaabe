import { z } from 'zod'
import { Email, NewPassword, PersonName, Role } from './dashboard-session.ts'

const timestamp = z.iso.datetime({ precision: 3 })

/** Days that an invitation may be used. */
export const INVITATION_DAYS = 7

/** A person of a project. */
export const Member = z.object({
  userId: z.string(),
  name: z.string(),
  email: z.string(),
  role: Role,
  createdAt: timestamp,
  /** It is who asks. */
  you: z.boolean(),
})
export type Member = z.infer<typeof Member>

/** An invitation that may still be used. Its link is answered once, when it is made. */
export const Invitation = z.object({
  id: z.string(),
  /** Null: whoever has the link may use it. */
  email: z.string().nullable(),
  role: Role,
  createdAt: timestamp,
  expiresAt: timestamp,
  /** Name of the person who made it; null: an operator at the command line. */
  createdBy: z.string().nullable(),
})
export type Invitation = z.infer<typeof Invitation>

/** Members from the oldest on, invitations the newest first. */
export const MemberList = z.object({ members: z.array(Member), invitations: z.array(Invitation) })
export type MemberList = z.infer<typeof MemberList>

/** With an e-mail address only an account with that address can use it. */
export const CreateInvitationRequest = z.object({ role: Role, email: Email.nullish() })
export type CreateInvitationRequest = z.infer<typeof CreateInvitationRequest>

/** `url` holds the token, and is answered here and nowhere else. */
export const CreatedInvitation = z.object({ id: z.string(), url: z.url(), expiresAt: timestamp })
export type CreatedInvitation = z.infer<typeof CreatedInvitation>

export const UpdateMemberRequest = z.object({ role: Role })
export type UpdateMemberRequest = z.infer<typeof UpdateMemberRequest>

/** What a link invites to. */
export const InvitationFacts = z.object({ projectName: z.string(), role: Role, email: z.string().nullable() })
export type InvitationFacts = z.infer<typeof InvitationFacts>

/** `{}` when signed in; else all three, which make an account. */
export const AcceptInvitationRequest = z.union([
  z.strictObject({ name: PersonName, email: Email, password: NewPassword }),
  z.strictObject({}),
])
export type AcceptInvitationRequest = z.infer<typeof AcceptInvitationRequest>

export const AcceptedInvitation = z.object({ projectId: z.string() })
export type AcceptedInvitation = z.infer<typeof AcceptedInvitation>
