import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openApply, toDeclaration } from './test-support/open-apply.ts'

const toMembers = (...members: string[]): string => toDeclaration(`members: [${members.join(', ')}]`)

async function openMembers() {
  const opened = await openApply()
  const { apply, prisma, getProject, makeUser } = opened
  await apply(toDeclaration())
  const { id: projectId } = await getProject()
  /** Adds a member whose role comes from a group, if one is given. */
  const add = async (name: string, role: 'owner' | 'member', groupName: string | null = null) => {
    const { userId } = await makeUser(`${name}@example.com`)
    const group = groupName === null ? {} : { groupRole: role, groupName }
    await prisma.membership.create({ data: { projectId, userId, role, ...group } })
  }
  const list = async () => {
    const rows = await prisma.membership.findMany({ include: { user: true }, orderBy: { user: { email: 'asc' } } })
    return rows.map(({ user, role }) => `${user.email} ${role}`)
  }
  return { ...opened, add, list }
}

test('a new owner is added before the last one is removed', async () => {
  const { apply, add, list, makeUser } = await openMembers()
  await add('ada', 'owner')
  await makeUser('eve@example.com')
  await apply(toMembers('{ email: eve@example.com, role: owner }'), '--prune')
  expect(await list()).toEqual(['eve@example.com owner'])
})

test('an account whose address is not verified gets an invitation, and no role', async () => {
  const { apply, run, add, list, makeUser, prisma } = await openMembers()
  await makeUser('cto@example.com', false)
  await add('ada', 'member')
  await prisma.user.updateMany({ data: { emailVerified: false } })
  const text = toMembers('{ email: cto@example.com, role: owner }', '{ email: ada@example.com, role: owner }')
  expect((await run(text)).err).toContain('has an account whose address is not verified and gets an invitation')
  const links = text.replace('version: 1', 'version: 1\ninvitationLinks: print')
  expect(await apply(links, '--dry-run')).toContain(
    '  + invitation cto@example.com (the address of the account is not verified)\n',
  )
  await apply(links)
  expect(await list()).toEqual(['ada@example.com member'])
  expect(await prisma.invitation.findMany({ orderBy: { email: 'asc' } })).toMatchObject([
    { email: 'ada@example.com', role: 'owner', verifies: true },
    { email: 'cto@example.com', role: 'owner', verifies: true },
  ])
  // A lower role is not a right that another person could gain.
  await apply(toMembers('{ email: ada@example.com, role: viewer }'))
  expect(await list()).toEqual(['ada@example.com viewer'])
  await prisma.user.updateMany({ data: { emailVerified: true } })
  await apply(links)
  expect(await list()).toEqual(['ada@example.com owner', 'cto@example.com owner'])
})

test('a member with a role from a group is not removed, and does not get a lower role', async () => {
  const { apply, run, add, list } = await openMembers()
  await add('ada', 'owner', 'docs')
  expect(await apply(toMembers(), '--prune')).toBe('No changes.\n')
  expect(await run(toMembers('{ email: ada@example.com, role: viewer }'))).toMatchObject({
    code: 2,
    err: expect.stringContaining('projects[0].members[0].role is lower than the role that the group docs gives.'),
  })
  expect(await list()).toEqual(['ada@example.com owner'])
})

test('an undeclared invitation stays unless it is pruned', async () => {
  const { apply, prisma } = await openMembers()
  const links = (text: string) => text.replace('version: 1', 'version: 1\ninvitationLinks: print')
  await apply(links(toMembers('{ email: bob@example.com, role: viewer }')))
  expect(await apply(toMembers())).toContain('    invitation bob@example.com is not declared and stays\n')
  expect(await prisma.invitation.count()).toBe(1)
  expect(await apply(toMembers(), '--prune')).toContain('  - invitation bob@example.com\n')
  expect(await prisma.invitation.count()).toBe(0)
})

test('links are added to a file that then only its owner can read', async () => {
  const { apply, dir } = await openMembers()
  const file = path.join(dir, 'links.txt')
  await writeFile(file, 'earlier\n')
  await chmod(file, 0o644)
  const text = toMembers('{ email: bob@example.com, role: viewer }')
  await apply(text.replace('version: 1', 'version: 1\ninvitationLinks: { file: links.txt }'))
  expect(await readFile(file, 'utf8')).toMatch(/^earlier\nbob@example\.com http.*\n$/)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})
