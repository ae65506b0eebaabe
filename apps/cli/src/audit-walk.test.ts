import type { Command } from 'commander'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildProgram } from './run-command-line.ts'
import { type Act, type Args, buildActs, buildReading, ELSEWHERE } from './test-support/audited-commands.ts'
import { type AuditedCli, openAuditedCli } from './test-support/open-audited-cli.ts'
import { runCli } from './test-support/run-cli.ts'

let cli: AuditedCli
beforeAll(async () => {
  cli = await openAuditedCli()
})
afterAll(() => cli?.close())

/** Returns the names of all commands, such as `key create`. */
function listCommands(command: Command, parents: Args = []): string[] {
  return command.commands.flatMap((one) => {
    const names = [...parents, one.name()]
    return one.commands.length > 0 ? listCommands(one, names) : [names.join(' ')]
  })
}

/** Returns the rows after the first `known` ones, by action. */
async function listRows(known: number) {
  const rows = await cli.prisma.auditEvent.findMany({ orderBy: { createdAt: 'asc' }, skip: known })
  return rows.sort((a, b) => a.action.localeCompare(b.action))
}

test('every command is in exactly one table', () => {
  const { stdin, stdout, stderr } = process
  const commands = listCommands(buildProgram({ env: {}, cwd: cli.dir, stdin, stdout, stderr, setExitCode: () => {} }))
  const listed = [buildActs(cli), buildReading(cli), ELSEWHERE].flatMap(Object.keys)
  expect(listed.sort()).toEqual(commands.sort())
})

test('commands that only read succeed without writing, and record nothing', async () => {
  const known = await cli.prisma.auditEvent.count()
  const DATABASE_URL = `${cli.env.DATABASE_URL}?options=${encodeURIComponent('-c default_transaction_read_only=on')}`
  const ended = await Promise.all(
    Object.entries(buildReading(cli)).map(async ([name, args]) => ({
      name,
      ...(await runCli(cli.dir, [...name.split(' '), ...args], { ...cli.env, DATABASE_URL })),
    })),
  )
  // No worker runs here, so doctor reports a problem.
  expect(ended.filter(({ name, code, err }) => code !== (name === 'doctor' ? 1 : 0) || err !== '')).toEqual([])
  expect(await listRows(known)).toEqual([])
})

test('every command that changes something records exactly its acts, without secrets', async () => {
  const { dir, prisma, env } = cli
  const run = (name: string, args: Args, { env: more = {}, input }: Pick<Act, 'env' | 'input'>) =>
    runCli(dir, [...name.split(' '), ...args], { ...env, ...more }, input)
  const secrets = [...cli.secrets]
  for (const [name, { steps, failing, ...own }] of Object.entries(buildActs(cli))) {
    const before = await prisma.auditEvent.count()
    expect(failing.length, name).toBeGreaterThan(0)
    for (const { code, out } of await Promise.all(failing.map((args) => run(name, args, own)))) {
      expect([code === 0, out], name).toEqual([false, ''])
    }
    expect(await listRows(before), `rows of failed invocations of ${name}`).toEqual([])
    for (const [args, toRows = () => []] of steps) {
      const what = [name, ...args].join(' ')
      const known = await prisma.auditEvent.count()
      const { code, out, err } = await run(name, [...args, '--json'], own)
      expect([code, err], what).toEqual([0, ''])
      const printed = JSON.parse(out)
      const { key, secret, password, url, issued = [] } = printed
      secrets.push(...issued.map((one: { secret: string }) => one.secret))
      secrets.push(...[key, secret, password, url?.split(/invitations.|#/)[1]].filter(Boolean))
      const actor = name.startsWith('job ')
        ? { actorType: 'key', actorId: cli.keyId, ipAddress: '127.0.0.1' }
        : { actorType: 'command_line', actorId: null, ipAddress: null, requestId: null }
      const expected = toRows(printed).map(({ action, projectId = null, target = [], before = null, after = null }) => {
        const [targetType = null, targetId = null, targetName = null] = target
        return { ...actor, action, projectId, targetType, targetId, targetName, before, after }
      })
      expect(await listRows(known), what).toEqual(expected.map((row) => expect.objectContaining(row)))
    }
  }
  expect(secrets.length).toBeGreaterThan(cli.secrets.length + 5)
  const written = JSON.stringify(await prisma.auditEvent.findMany())
  expect(secrets.filter((one) => written.includes(one))).toEqual([])
})
