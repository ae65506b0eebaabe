import { type Folder, openFolder } from '@corrigenda/cli/internal/test-support/open-folder'
import { runCli } from '@corrigenda/cli/internal/test-support/run-cli'
import { afterAll, beforeAll, expect, test } from 'vitest'

let folder: Folder
beforeAll(async () => {
  folder = await openFolder()
})
afterAll(() => folder.close())

test('adds, lists, tests, rotates and removes webhooks, and shows each secret once', async () => {
  const { json, dir } = folder
  const project = await json('project', 'create', '--name', 'Docs', '--repository', 'https://github.com/acme/docs')
  const add = ['webhook', 'add', '--project', project.id, '--url', 'https://example.com/hook']
  const made = await json(...add, '--events', 'job.completed, job.failed', '--description', 'CI')
  expect(made).toMatchObject({
    id: expect.stringMatching(/^whe_/),
    secret: expect.stringMatching(/^whsec_/),
    events: ['job.completed', 'job.failed'],
  })
  const [rotated, sent] = await Promise.all([json('webhook', 'rotate', made.id), json('webhook', 'test', made.id)])
  expect(sent).toMatchObject({ id: expect.stringMatching(/^whd_/), status: 'pending', eventType: 'webhook.test' })
  const [deliveries, again, enabled, listed, shown] = await Promise.all([
    json('webhook', 'deliveries', made.id),
    json('webhook', 'redeliver', sent.id),
    json('webhook', 'enable', made.id),
    json('webhook', 'list', '--project', project.id),
    runCli(dir, ['webhook', 'deliveries', made.id]),
  ])
  expect(deliveries).toMatchObject({ deliveries: [{ id: sent.id }], nextCursor: null })
  expect(again).toMatchObject({ id: sent.id, eventId: sent.eventId })
  expect(enabled).toMatchObject({ id: made.id, disabledAt: null })
  expect(listed.webhooks).toMatchObject([{ id: made.id, description: 'CI', secret: 'whsec_********' }])
  for (const { secret } of [made, rotated]) {
    expect(JSON.stringify([sent, deliveries, listed])).not.toContain(secret.slice(6))
  }
  expect(shown.out).toMatch(/^ID +CREATED .*\nwhd_\w+ .* webhook\.test +pending +0 /)
  expect(await json('webhook', 'remove', made.id)).toMatchObject({ id: made.id, removed: true })
  expect((await runCli(dir, ['webhook', 'remove', made.id])).err).toBe(`There is no webhook ${made.id}.\n`)
})

test('reports errors on stderr with an exit code and prints nothing to stdout', async () => {
  const cases: [string[], number, RegExp][] = [
    [['add', '--project', 'prj_none', '--url', 'https://example.com/'], 1, /^There is no project prj_none\.\n$/],
    [
      ['add', '--project', 'p', '--url', 'https://10.0.0.1/'],
      1,
      /10\.0\.0\.1 is not a public address.*ALLOWED_HOOK_HOSTS/,
    ],
    [['add', '--project', 'p', '--url', 'http://example.com/'], 1, /^The webhook URL must start with https:/],
    [['add', '--project', 'p', '--url', 'https://example.com/', '--events', 'job.done'], 2, /Valid event types are/],
    [['remove', 'whe_none'], 1, /^There is no webhook whe_none\.\n$/],
    [['redeliver', 'whd_none'], 1, /^There is no delivery whd_none\.\n$/],
    [['deliveries', 'whe_none', '--limit', '0'], 2, /number from 1 to 100/],
  ]
  const checks = cases.map(async ([args, code, message]) => {
    const ended = await runCli(folder.dir, ['webhook', ...args, '--json'])
    expect([ended.code, ended.out], args.join(' ')).toEqual([code, ''])
    expect(ended.err).toMatch(message)
    expect(ended.err).not.toMatch(/\bat .+:\d+:\d+/)
  })
  await Promise.all(checks)
})
