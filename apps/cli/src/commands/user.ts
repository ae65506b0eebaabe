import { randomInt } from 'node:crypto'
import { Email, NewPassword, Role } from '@corrigenda/contracts'
import {
  createInvitation,
  createSignInLink,
  listUsers,
  resetPassword,
  SIGN_IN_LINK_MINUTES,
  setAdmin,
} from '@corrigenda/core/accounts'
import { type Command, InvalidArgumentError } from 'commander'
import type { CommandContext } from '../environment/command-context.ts'
import { withDatabaseAccess } from '../environment/with-database-access.ts'
import { askSecret } from '../terminal/ask-secret.ts'
import { printAnswer, toTable } from '../terminal/print.ts'

/**
 * Adds `user list | reset-password | sign-in-link | admin | invite`, which use the database directly. They work
 * even if no user can sign in.
 */
export function addUserCommands(program: Command, context: CommandContext): void {
  const user = program.command('user').description('list users, invite them and reset their passwords')

  user
    .command('list')
    .description('list all accounts')
    .option('--json', 'print one JSON object')
    .action(async (options: { json?: boolean }) => {
      const users = await withDatabaseAccess(context, listUsers)
      const rows = users.map((one) => [
        one.emailVerified ? one.email : `${one.email} (address not verified)`,
        one.name,
        one.isAdmin
          ? `admin${toSource(one.adminGroup)}`
          : one.projects.map((own) => `${own.role} of ${own.projectId}${toSource(own.groupName)}`).join(', '),
        one.lastSeenAt?.toISOString() ?? 'signed out',
      ])
      printAnswer(context, options.json, { users }, toTable([['EMAIL', 'NAME', 'ROLE', 'LAST SEEN'], ...rows]))
    })

  user
    .command('reset-password')
    .description('set a new password for an account and end its sessions')
    .argument('<email>')
    .option('--ask', 'prompt for the password or read it from standard input (default: generate and print one)')
    .option('--json', 'print one JSON object')
    .action(async (email: string, options: { ask?: boolean; json?: boolean }) => {
      const fresh = options.ask ? null : makePassword()
      const { userId } = await withDatabaseAccess(context, async (access) => {
        if (!access.passwordSignIn) throw new Error(PASSWORDS_OFF)
        const password =
          fresh ?? toNewPassword(await askSecret(context, { question: 'New password: ', noun: 'password' }))
        const { hashPassword } = await import('@corrigenda/api')
        return resetPassword(access, { email, passwordHash: await hashPassword(password) })
      })
      printAnswer(context, options.json, { id: userId, ...(fresh !== null && { password: fresh }) }, [
        ...(fresh === null ? ['Changed the password.'] : [fresh, 'Store this password now. It cannot be shown again.']),
        "Ended all of the account's sessions.",
      ])
    })

  user
    .command('sign-in-link')
    .description('create a link that signs an account in once, even if passwords are turned off')
    .argument('<email>')
    .option('--json', 'print one JSON object')
    .action(async (email: string, options: { json?: boolean }) => {
      const created = await withDatabaseAccess(context, async (access) => {
        const { userId, token, expiresAt } = await createSignInLink(access, { email })
        // The part after "#" is not sent to servers, so it does not appear in access logs.
        return { id: userId, url: `${access.publicUrl}/sign-in/link#${token}`, expiresAt: expiresAt.toISOString() }
      })
      printAnswer(context, options.json, created, [
        created.url,
        `The link works once and expires in ${SIGN_IN_LINK_MINUTES} minutes. Anyone who has it can sign in to the account.`,
      ])
    })

  user
    .command('admin')
    .alias('operator')
    .description("grant or remove admin access; ends the account's sessions")
    .argument('<email>')
    .option('--revoke', 'remove admin access; the last admin cannot be removed')
    .option('--json', 'print one JSON object')
    .action(async (text: string, options: { revoke?: boolean; json?: boolean }) => {
      const email = parseEmail(text)
      const isAdmin = options.revoke !== true
      const { id } = await withDatabaseAccess(context, async (access) => {
        const found = await access.prisma.user.findFirst({ where: { email, isDemo: false } })
        if (!found) throw new Error(`There is no account ${email}. List the accounts with "corrigenda user list".`)
        if (isAdmin && !found.emailVerified) throw new Error(toUnverified(email))
        return setAdmin(access, { userId: found.id, isAdmin, actorId: null })
      })
      const sentence = isAdmin ? `${email} is now an admin.` : `${email} is no longer an admin.`
      printAnswer(context, options.json, { id, isAdmin }, [sentence, "Ended all of the account's sessions."])
    })

  user
    .command('invite')
    .description('create an invitation link to a project')
    .requiredOption('--project <id>', 'project ID')
    .option('--role <role>', 'role of the new member: owner, member or viewer', parseRole, 'member')
    .option('--email <address>', 'restrict the invitation to the account with this email address', parseEmail)
    .option('--json', 'print one JSON object')
    .action(async (options: { project: string; role: Role; email?: string; json?: boolean }) => {
      const { project: projectId, role, email = null } = options
      const created = await withDatabaseAccess(context, async (access) => {
        const project = await access.prisma.project.findUnique({
          where: { id: projectId, deletedAt: null },
          select: { id: true },
        })
        if (!project)
          throw new Error(`There is no project ${projectId}. List the projects with "corrigenda project list".`)
        const { id, token, expiresAt } = await createInvitation(access, { projectId, role, email, createdById: null })
        return { id, url: `${access.publicUrl}/invitations/${token}`, expiresAt: expiresAt.toISOString() }
      })
      printAnswer(context, options.json, created, [
        created.url,
        `The link works once and expires on ${created.expiresAt.slice(0, 10)}.`,
      ])
    })
}

const toUnverified = (email: string) =>
  `The address of the account ${email} is not verified, so it may belong to someone else. Create an invitation with "corrigenda user invite --project ID --email ${email}", send the link to that person, and repeat the command after the account has accepted it.`

const toSource = (group: string | null) => (group === null ? '' : ` (group ${group})`)

const PASSWORDS_OFF =
  'Passwords are turned off (PASSWORD_SIGN_IN=false). To sign in without an identity provider, run "corrigenda user sign-in-link".'

// Omits characters that look alike, because users read the password on one screen and type it on
// another. 24 characters from an alphabet of 31 give 118 bits.
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

function makePassword(): string {
  const four = () => Array.from({ length: 4 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return Array.from({ length: 6 }, four).join('-')
}

function toNewPassword(text: string): string {
  const password = NewPassword.safeParse(text)
  if (!password.success) throw new Error(`${password.error.issues[0]?.message ?? 'The password is invalid'}.`)
  return password.data
}

function parseRole(text: string): Role {
  const role = Role.safeParse(text)
  if (!role.success) throw new InvalidArgumentError(`Valid roles are ${Role.options.join(', ')}.`)
  return role.data
}

function parseEmail(text: string): string {
  const email = Email.safeParse(text)
  if (!email.success) throw new InvalidArgumentError('Use a valid email address.')
  return email.data
}
