import { type Invitation, isAtLeast, type Member, type Role } from '@corrigenda/contracts'
import {
  addMember,
  createInvitation,
  deleteInvitation,
  listMembers,
  removeMember,
  updateMember,
} from '@corrigenda/core/accounts'
import type { DeclaredMember, DeclaredProject, SecretOutput } from './declaration.ts'
import type { PartPlan, PlanDeps, PlannedProject, Step } from './plan.ts'
import type { FieldPath } from './read-declaration.ts'

/**
 * Plans the changes of a project's members. A user with an account whose address is verified becomes a
 * member at once. Others get an invitation for their address, because anyone could have created an
 * account with an address that is not verified.
 */
export async function planMembers(
  deps: PlanDeps,
  project: PlannedProject,
  { members: declared }: Pick<DeclaredProject, 'members'>,
): Promise<PartPlan> {
  if (declared === undefined) return { steps: [], kept: [] }
  const { id } = project
  const { members, invitations } =
    id === null
      ? { members: [], invitations: [] }
      : await listMembers(deps.access, { projectId: id, userId: '', withInvitations: true })
  const steps: Step[] = []
  for (const [index, member] of declared.entries()) {
    const at = [...project.at, 'members', index]
    const known = members.find(({ email }) => email === member.email)
    const isRaised = known !== undefined && known.role !== member.role && isAtLeast(member.role, known.role)
    if (known !== undefined && (known.emailVerified || !isRaised)) steps.push(...planRole(deps, { member, known, at }))
    else steps.push(...(await planNewMember(deps, { member, invitations, at })))
  }
  const isDeclared = (email: string | null) => declared.some((one) => one.email === email)
  // Members whose role comes from a group of the identity provider are managed there.
  const leaving = members.filter(({ email, group }) => !isDeclared(email) && group === null)
  const revoked = invitations.filter(({ email }) => !isDeclared(email))
  const removals = deps.prune ? [...leaving.map(toRemoval), ...revoked.map(toRevocation)] : []
  return {
    // A project must have an owner at any time, so new owners come before removals.
    steps: [...steps.sort((a, b) => rank(a) - rank(b)), ...removals],
    kept: deps.prune
      ? []
      : [...leaving.map(({ email }) => `member ${email}`), ...revoked.map((one) => `invitation ${describe(one)}`)],
  }
}

/** Steps that make an owner come first. */
const rank = ({ fields }: Step): number => (fields.some(({ after }) => after === 'owner') ? 0 : 1)

const toRole = (before: Role | null, after: Role) => [{ field: 'role', before, after }]

const describe = ({ email, id }: Invitation): string => email ?? id

function planRole(
  { read }: PlanDeps,
  input: { readonly member: DeclaredMember; readonly known: Member; readonly at: FieldPath },
): Step[] {
  const { known, at } = input
  const { email, role } = input.member
  if (known.role === role) return []
  if (known.group !== null && !isAtLeast(role, known.group.role)) {
    throw read.toError([...at, 'role'], `is lower than the role that the group ${known.group.name} gives.`)
  }
  return [
    {
      action: 'update',
      subject: `member ${email}`,
      fields: toRole(known.role, role),
      run: ({ access, projectId }) => updateMember(access, { projectId, userId: known.userId, role }),
    },
  ]
}

async function planNewMember(
  { access, read }: PlanDeps,
  input: { readonly member: DeclaredMember; readonly invitations: readonly Invitation[]; readonly at: FieldPath },
): Promise<Step[]> {
  const { email, role } = input.member
  const user = await access.prisma.user.findFirst({ where: { email, isDemo: false } })
  const invited = input.invitations.filter((one) => one.email === email)
  if (user?.emailVerified) {
    const joining: Step = {
      action: 'create',
      subject: `member ${email}`,
      fields: toRole(null, role),
      run: ({ access, projectId }) => addMember(access, { projectId, userId: user.id, role }),
    }
    return [joining, ...invited.map(toRevocation)]
  }
  const [current] = invited
  if (current?.role === role) return []
  const output = read.declaration.invitationLinks
  if (output === undefined) {
    const reason = user === null ? 'has no account' : 'has an account whose address is not verified'
    throw read.toError(input.at, `${reason} and gets an invitation, so the file needs invitationLinks.`)
  }
  return [
    ...invited.map(toRevocation),
    toInvitation(input.member, { before: current?.role ?? null, output, isUnverified: user !== null }),
  ]
}

const toInvitation = (
  { email, role }: DeclaredMember,
  input: { readonly before: Role | null; readonly output: SecretOutput; readonly isUnverified: boolean },
): Step => ({
  action: 'create',
  subject: `invitation ${email}${input.isUnverified ? ' (the address of the account is not verified)' : ''}`,
  fields: toRole(input.before, role),
  output: input.output,
  label: email,
  async run({ access, projectId }) {
    const { token } = await createInvitation(access, { projectId, role, email, createdById: null })
    return `${access.publicUrl}/invitations/${token}`
  },
})

const toRemoval = ({ userId, email }: Member): Step => ({
  action: 'remove',
  subject: `member ${email}`,
  fields: [],
  run: ({ access, projectId }) => removeMember(access, { projectId, userId }),
})

const toRevocation = (invitation: Invitation): Step => ({
  action: 'remove',
  subject: `invitation ${describe(invitation)}`,
  fields: [],
  run: ({ access, projectId }) => deleteInvitation(access, { projectId, id: invitation.id }),
})
