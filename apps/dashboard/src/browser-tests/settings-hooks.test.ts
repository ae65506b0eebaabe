import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkVariants } from './test-support/check-screen.ts'
import { failRefetch } from './test-support/fail-refetch.ts'
import { openDashboard, type TestDashboard } from './test-support/open-dashboard.ts'

/** Requests to the receiver, which acts as a deploy hook and a webhook endpoint. */
const received: { url: string; headers: IncomingMessage['headers'] }[] = []
let receiver: Server
let dashboard: TestDashboard
let receiverHost = ''
beforeAll(async () => {
  receiver = createServer((request, response) => {
    received.push({ url: request.url ?? '', headers: request.headers })
    request.resume().on('end', () => response.writeHead(request.url === '/broken' ? 500 : 200).end('thanks'))
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  receiverHost = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
  dashboard = await openDashboard({ settings: { ALLOWED_HOOK_HOSTS: receiverHost } })
})
afterAll(async () => {
  await dashboard?.close()
  receiver?.close()
})

const open = (as?: Parameters<TestDashboard['openPage']>[1]) =>
  dashboard.openPage(`/projects/${dashboard.projectId}/settings`, as)

test('a deployment shows its status and log, and the deploy hook URL is never shown', async () => {
  const { page, expectClean, close } = await open()
  const block = page.getByRole('region', { name: 'Deployment', exact: true })
  const hook = `http://${receiverHost}/hooks/very-secret-path`
  await block.getByLabel('Deploy with').selectOption('hook')
  await block.getByLabel('Hook URL').fill(hook)
  await block.getByLabel(/is merged$/).check()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await block.getByText(receiverHost).waitFor()
  await page.getByRole('button', { name: 'Deploy now' }).click()
  const row = page.getByTestId('deployment-row').first()
  await row.getByText('Succeeded', { exact: true }).waitFor()
  await row.getByText('from the dashboard').waitFor()
  expect(received.map(({ url }) => url)).toContain('/hooks/very-secret-path')
  await row.getByText('Log', { exact: true }).click()
  expect(await row.locator('pre').textContent()).not.toBe('')
  expect(await page.content()).not.toContain('very-secret-path')

  await block.getByLabel('Deploy with').selectOption('repository_dispatch')
  await block.getByLabel('Event type').fill('docs-changed')
  await block.getByLabel('Payload').fill('{broken')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await block.getByText('The payload is not valid JSON.').waitFor()
  await block.getByLabel('Payload').fill('{"site": "docs"}')
  await block.getByLabel('Preview URL').fill('https://{branchSlug}.preview.example.com')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect
    .poll(() => dashboard.database.prisma.project.findUnique({ where: { id: dashboard.projectId } }))
    .toMatchObject({
      deployOnMerge: true,
      previewUrlTemplate: 'https://{branchSlug}.preview.example.com',
      deployTarget: { kind: 'repository_dispatch', sealed: expect.any(String) },
    })
  await page.reload()
  await expect.poll(() => block.getByLabel('Event type').inputValue()).toBe('docs-changed')
  expect(JSON.parse(await block.getByLabel('Payload').inputValue())).toEqual({ site: 'docs' })
  expectClean()
  await close()
})

test('a webhook shows its secret once, delivers and redelivers a test event, and shows a failed delivery', async () => {
  const { page, expectClean, close } = await open()
  const add = async (url: string) => {
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByRole('dialog').getByLabel('URL').fill(url)
    await page.getByRole('dialog').getByLabel('job.completed').check()
    await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click()
    const secret = await page.getByLabel('Signing secret').locator('code').textContent()
    await page.getByRole('button', { name: 'Done' }).click()
    return secret
  }
  const first = await add(`http://${receiverHost}/good`)
  expect(first).toMatch(/^whsec_[\w+/=]+$/)
  await add(`http://${receiverHost}/broken`)
  const row = (path: string) => page.getByTestId('webhook-row').filter({ hasText: path })
  await row('/good').getByRole('button', { name: 'Send test event' }).click()
  const delivery = row('/good').getByTestId('delivery-row').first()
  await delivery.getByText('Delivered').waitFor()
  const arrived = () => received.filter(({ url }) => url === '/good')
  expect(arrived().at(-1)?.headers['webhook-signature']).toMatch(/^v1,/)
  const before = arrived().length
  await delivery.getByRole('button', { name: 'Redeliver' }).click()
  await expect.poll(() => arrived().length).toBe(before + 1)
  await row('/broken').getByRole('button', { name: 'Send test event' }).click()
  await row('/broken').getByTestId('delivery-row').getByText('500').waitFor()

  await row('/good').getByRole('button', { name: /^More/ }).click()
  await page.getByRole('menuitem', { name: 'Rotate secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
  const second = await page.getByLabel('Signing secret').locator('code').textContent()
  expect(second).not.toBe(first)
  // The secret stays, and so do the rows, although the lists cannot be refetched.
  await failRefetch(page, /\/(webhooks|updates|deliveries)(\?|$)/)
  expect(await page.getByLabel('Signing secret').locator('code').textContent()).toBe(second)
  await page.getByRole('button', { name: 'Done' }).click()
  const region = (name: string) => page.getByRole('region', { name, exact: true })
  for (const name of ['Webhooks', 'Recent deployments']) {
    await region(name).getByRole('alert').filter({ hasText: 'The refetch failed.' }).first().waitFor()
  }
  expect(await row('/good').getByTestId('delivery-row').count()).toBeGreaterThan(0)
  expect(await region('Recent deployments').getByTestId('deployment-row').count()).toBeGreaterThan(0)
  await page.unrouteAll()
  await region('Recent deployments').getByRole('button', { name: 'Try again' }).click()
  await region('Recent deployments').getByRole('alert').waitFor({ state: 'detached' })
  await page.reload()
  await row('/good').getByRole('button', { name: /^More/ }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await row('/good').getByText('Disabled').waitFor()
  await row('/broken').getByRole('button', { name: /^More/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await row('/broken').waitFor({ state: 'detached' })
  await page.reload()
  await row('/good').waitFor()
  expect(await page.content()).not.toMatch(/whsec_[A-Za-z0-9]/)
  await page.getByTestId('deployment-row').first().waitFor()
  await checkVariants(page)
  await page.setViewportSize({ width: 360, height: 800 })
  for (const summary of await page.locator('.settings-item summary').all()) {
    expect((await summary.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  }
  expectClean()
  await close()
})

test('members can deploy, viewers can only read deployments, and neither sees other settings', async () => {
  for (const [role, buttons] of [
    ['member', 1],
    ['viewer', 0],
  ] as const) {
    const as = await dashboard.invite(dashboard.projectId, role)
    const { page, expectClean, close } = await open({ as })
    await page.getByText('Only owners can see the other project settings.').waitFor()
    await page.getByTestId('deployment-row').first().waitFor()
    expect(await page.getByRole('button', { name: 'Deploy now' }).count()).toBe(buttons)
    for (const name of ['Policy', 'Credential', 'Webhooks', 'Danger zone']) {
      expect(await page.getByRole('region', { name }).count()).toBe(0)
    }
    expectClean()
    await close()
  }
})
