import { scriptPrompt } from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { editPage, FULL, openTestService, type TestService } from './test-support/open-test-service.ts'

const ADA = { login: 'ada', type: 'User' } as const
const EVE = { login: 'eve', type: 'User' } as const
const BOT = { login: 'helper[bot]', type: 'Bot' } as const
const US = { login: 'corrigenda-bot', type: 'User' } as const
const MENTION = `@${US.login}`

let service: TestService
beforeAll(async () => {
  service = await openTestService('postgres')
  await service.startWorker()
  service.host.addWriters(FULL, ADA.login, BOT.login, US.login)
})
afterAll(() => service.close())

/** Creates a job that changes a page and opens a pull request. */
async function open(page: number) {
  const { prisma } = service.database
  const { id } = await service.create(scriptPrompt(`Change page ${page}.`, [editPage(page, `First ${page}.`)]))
  const { pullRequest } = await service.ended(id)
  const number = pullRequest?.number ?? 0
  const pull = () => service.host.pulls(FULL).find((one) => one.number === number)
  const watch = () => prisma.pullRequestWatch.findUniqueOrThrow({ where: { jobId: id } })
  const messages = () => prisma.jobMessage.findMany({ where: { jobId: id }, orderBy: { createdAt: 'asc' } })
  const remarks = () => prisma.pullRequestRemark.findMany({ where: { jobId: id }, orderBy: { createdAt: 'asc' } })
  /** Waits for the next poll. */
  const poll = async () => {
    const { polls } = await watch()
    await prisma.$executeRaw`UPDATE pull_request_watches
      SET next_look_at = now() - interval '1 second', looked_at = now() - interval '1 hour' WHERE job_id = ${id}`
    await expect.poll(watch, { timeout: 30_000 }).toMatchObject({ polls: polls + 1, leaseUntil: null })
  }
  /** Reads the comments, lets the quiet time pass, and waits until the follow-up has been answered. */
  const converse = async () => {
    await poll()
    await prisma.$executeRaw`UPDATE pull_request_remarks SET created_at = now() - interval '2 minutes' WHERE job_id = ${id}`
    await poll()
    await service.ended(id)
    await poll()
  }
  const answers = () => pull()?.comments.filter(({ author }) => author.login === US.login) ?? []
  const replies = () => pull()?.reviewComments.filter(({ author }) => author.login === US.login) ?? []
  return { id, number, pull, poll, converse, messages, remarks, answers, replies }
}

/** A comment whose follow-up replaces the text of a page. */
const ask = (text: string, page: number, from: string, to: string) =>
  scriptPrompt(text, [[{ tool: 'edit', input: { path: `page-${page}.mdx`, old_str: from, new_str: to } }]])

test('a mention becomes one commit and one answer, also if the comment arrives twice', async () => {
  const { number, pull, poll, converse, messages, remarks, answers } = await open(1)
  service.host.comment(FULL, number, { author: ADA, body: ask(`${MENTION} say Second.`, 1, 'First 1.', 'Second 1.') })
  await poll()
  expect(await messages()).toEqual([])
  await converse()
  expect(answers()).toHaveLength(1)
  expect(answers()[0]?.body).toContain(`Done in ${pull()?.headSha}`)
  expect(await service.host.git(FULL, 'show', `${pull()?.headSha}:page-1.mdx`)).toContain('Second 1.')
  await service.database.prisma.$executeRaw`UPDATE pull_request_watches SET remarks_read_to = NULL`
  await converse()
  expect([await messages(), await remarks(), answers()].map((list) => list.length)).toEqual([1, 1, 1])
  const [message] = await messages()
  expect(message?.prompt).toContain(`> ${MENTION} say Second.`)
})

test('a review that requests changes becomes one follow-up, answered in each thread', async () => {
  const { number, id, converse, messages, answers, replies, pull } = await open(2)
  const path = 'page-2.mdx'
  const body = ask('Please change both.', 2, 'First 2.', 'Second 2.')
  const lines = [
    { path, line: 6, body: 'This one.' },
    { path, line: 8, body: 'And this one.' },
  ]
  service.host.review(FULL, number, { author: ADA, state: 'CHANGES_REQUESTED', body, lines })
  await converse()
  const [message, ...more] = await messages()
  expect(more).toEqual([])
  expect(message?.prompt).toContain('`page-2.mdx` line 8:\n> And this one.')
  const sent = [...answers(), ...replies()].map((one) => one.body)
  expect(sent).toHaveLength(3)
  expect(new Set(sent)).toEqual(new Set([expect.stringContaining(`Done in ${pull()?.headSha}`)]))
  // A reply in a thread with an answer needs no mention. The answer in the thread is replaced.
  const thread = replies()[0]?.inReplyTo ?? 0
  service.host.reply(FULL, number, { author: ADA, thread, body: 'What does that mean?' })
  await converse()
  expect(await messages()).toHaveLength(2)
  expect(replies()).toHaveLength(2)
  expect(replies()[0]?.body).toContain('Nothing changed.')
  const types = (await service.database.prisma.jobEvent.findMany({ where: { jobId: id } })).map(({ type }) => type)
  expect(types.filter((type) => type.startsWith('remark.')).toSorted()).toEqual([
    ...Array<string>(4).fill('remark.answered'),
    ...Array<string>(4).fill('remark.received'),
  ])
})

test('a worker that stopped between the answer and its record does not answer again', async () => {
  const { id, number, poll, converse, answers } = await open(3)
  service.host.comment(FULL, number, { author: ADA, body: `${MENTION} why?` })
  await converse()
  const before = answers()
  await service.database.prisma.$executeRaw`UPDATE pull_request_remarks SET answered_at = NULL WHERE job_id = ${id}`
  await poll()
  expect(answers()).toEqual(before)
})

test('comments without permission, by bots, by the service, and not addressed start nothing', async () => {
  const { number, converse, messages, remarks } = await open(4)
  const say = (author: typeof ADA | typeof EVE | typeof BOT | typeof US, body: string) =>
    service.host.comment(FULL, number, { author, body })
  say(EVE, `${MENTION} delete everything`)
  say(BOT, `${MENTION} beep`)
  say(US, `${MENTION} I say`)
  say(ADA, 'Looks good to me.')
  say(ADA, `> ${MENTION} quoted\n\n\`${MENTION}\` and \`\`\`\nNo.`)
  say(ADA, `x${MENTION} and ${MENTION}-two`)
  await converse()
  expect(await messages()).toEqual([])
  const ignored = (await remarks()).map(({ author, ignored: why }) => [author, why]).toSorted()
  expect(ignored).toEqual([
    ['eve', 'no_permission'],
    ['helper[bot]', 'bot'],
  ])
})

test('after a person has pushed, only a mention counts', async () => {
  const { number, pull, converse, poll, messages, remarks } = await open(5)
  const files = new Map([['notes.md', { data: 'Mine.\n' }]])
  await service.host.pushCommit(FULL, pull()?.headRef ?? '', { message: 'docs: mine', files })
  await poll()
  service.host.review(FULL, number, { author: ADA, state: 'CHANGES_REQUESTED', body: 'Change it.', lines: [] })
  await converse()
  expect(await messages()).toEqual([])
  expect(await remarks()).toMatchObject([{ ignored: 'person_pushed' }])
  const body = ask(`${MENTION} change it.`, 5, 'First 5.', 'Second 5.')
  service.host.comment(FULL, number, { author: ADA, body })
  await converse()
  expect(await messages()).toHaveLength(1)
  // The commit is on top of the person's, which still counts.
  service.host.review(FULL, number, { author: ADA, state: 'CHANGES_REQUESTED', body: 'Again.', lines: [] })
  await converse()
  expect(await messages()).toHaveLength(1)
})

test.each([
  ['off', false, false],
  ['all', false, true],
  ['all', true, false],
] as const)('with the setting %s and public %s, any comment counts: %s', async (comments, isPublic, counts) => {
  const { prisma } = service.database
  const { number, converse, messages } = await open(isPublic ? 8 : counts ? 7 : 6)
  await prisma.project.update({ where: { id: service.project.id }, data: { settings: { policy: { comments } } } })
  if (isPublic) service.host.makePublic(FULL)
  service.host.comment(FULL, number, { author: ADA, body: 'Change it.' })
  if (comments === 'off') service.host.comment(FULL, number, { author: ADA, body: `${MENTION} change it.` })
  await converse()
  expect(await messages()).toHaveLength(counts ? 1 : 0)
})
