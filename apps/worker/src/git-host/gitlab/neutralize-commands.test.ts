import type { GitLab } from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHarness } from '../test-support/open-harness.ts'
import { neutralizeCommands } from './neutralize-commands.ts'

const TEXTS = [
  '/merge',
  '/close',
  '/MERGE',
  'Done.\n/merge',
  'Done.\r\n/merge',
  'Done.\r/merge',
  'Done.\n\n/approve\n',
  '/approve\n/merge\n/close',
  '/label ~"ready"',
  '/unlabel ~bug',
  '/assign @root',
  '/unassign',
  '/assign_reviewer @ada',
  '/title Another title',
  '/draft',
  '/ready',
  '/target_branch production',
  '/rebase',
  '/milestone %"v1"',
  '/lock',
  '/copy_metadata !1',
  '/spend 1h',
  '/award :tada:',
  '/submit_review',
  '~~~\n/merge\n~~~',
  '````\n/merge\n````',
  '```\ncode\n```\n/merge',
  '```\n/merge',
  '<details>\n/merge\n</details>',
  '> quoted\n\n/merge',
]

let harness: Awaited<ReturnType<typeof openHarness>>
beforeAll(async () => {
  harness = await openHarness('gitlab')
})
afterAll(() => harness.close())

const open = async () => {
  const repository = await harness.createRepository()
  await harness.pushCommit(repository, 'topic')
  const credentials = harness.buildCredentials('all')
  const { signal } = new AbortController()
  const gitHost = await harness.adapter.openGitHost({ credentials, repository, access: 'publish', signal })
  return { repository, gitHost }
}

test('no text of a merge request is executed as a command', async () => {
  const { gitHost } = await open()
  const pull = { branch: 'topic', base: 'main', title: '/close', draft: false }
  const { number } = await gitHost.createPullRequest({ ...pull, body: TEXTS.join('\n') })
  for (const body of TEXTS) await gitHost.updatePullRequest({ number, body })
  expect((harness.host as GitLab).executed).toEqual([])
  expect(await gitHost.findPullRequest({ number, branch: 'topic' })).toMatchObject({ state: 'open', hasLabels: false })
})

test('the host executes the same texts without the escape', async () => {
  const { repository } = await open()
  const { executed, host } = { executed: (harness.host as GitLab).executed, host: harness.host }
  const send = (description: string) =>
    fetch(`${host.url}/api/v4/projects/${encodeURIComponent(repository.path)}/merge_requests`, {
      method: 'POST',
      headers: { authorization: `Bearer ${host.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ source_branch: 'topic', target_branch: 'main', title: 'x', description }),
    })
  expect((await send('Done.\n/label ~bug')).status).toBe(201)
  expect(executed).toEqual(['/label ~bug'])
})

test('all other text is unchanged', () => {
  const text = 'See /docs and a/b.\n- /merge\n`/merge`\n\nhttps://example.com/merge\n'
  expect(neutralizeCommands(text)).toBe(text)
  expect(neutralizeCommands('  /close')).toBe('  \\/close')
})
