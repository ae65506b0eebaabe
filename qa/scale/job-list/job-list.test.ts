import { loadApiConfig, startApi } from '@corrigenda/api'
import type { DashboardJobPage } from '@corrigenda/contracts'
import { openNewTestDatabase } from '@corrigenda/core/internal/test-support/open-test-database'
import { openBrowser, openPage } from '@corrigenda/testkit'
import { expect, inject, onTestFinished, test } from 'vitest'
import { askDashboard, SILENT, seedInstance, toApiEnv } from '../seed/seed-instance.ts'
import { seedJobs } from '../seed/seed-jobs.ts'

const COUNTS = (process.env.LIST_JOBS ?? '5000').split(',').map(Number)
const PAGE = 50
/** DOM nodes of the page without rows, and of a row. */
const FRAME_NODES = 300
const ROW_NODES = 25

/** Opens a service whose project has this many jobs, of several authors and models. */
async function openService(count: number) {
  const { pool, prisma } = await openNewTestDatabase(2)
  const { rows } = await pool.query<{ name: string }>('SELECT current_database() AS name')
  const url = inject('postgresUrl').replace(/\/corrigenda$/, `/${rows[0]?.name}`)
  const instance = await seedInstance(url, 1)
  const projectId = instance.projectIds[0] ?? ''
  await seedJobs(url, {
    projectIds: [projectId],
    from: 1,
    count,
    oldestDays: 300,
    newestDays: 0.01,
    active: 5,
    transcriptKb: 1,
  })
  await pool.query(`BEGIN; SET LOCAL session_replication_role = replica;
    UPDATE jobs SET created_by = 'usr_rare', created_by_name = 'Rare'
    WHERE id IN (SELECT id FROM jobs ORDER BY created_at LIMIT 3); COMMIT`)
  await pool.query('VACUUM ANALYZE')
  const api = await startApi(loadApiConfig(toApiEnv(url, instance.secret)), SILENT)
  onTestFinished(() => api.close())
  const list = async (query: string): Promise<{ page: DashboardJobPage; ms: number }> => {
    const started = performance.now()
    const response = await askDashboard(api.url, `/projects/${projectId}/jobs?${query}`, {
      cookie: instance.viewerCookie,
    })
    return { page: (await response.json()) as DashboardJobPage, ms: Math.round(performance.now() - started) }
  }
  return { api, prisma, pool, projectId, cookie: instance.adminCookie, list }
}

test.each(COUNTS)(
  'a list of %i jobs has exact counts, finds rare jobs, and renders only the rows that were asked for',
  async (count) => {
    const { api, prisma, projectId, cookie, list } = await openService(count)

    await list('')
    const plain = await list('')
    expect(plain.page.isCountExact).toBe(true)
    expect(Object.values(plain.page.counts ?? {}).reduce((sum, n) => sum + n)).toBe(count)
    const failed = await prisma.job.count({ where: { projectId, status: 'failed', outcome: 'failed' } })
    expect(plain.page.counts?.failed).toBe(failed)
    const rare = await list('author=usr_rare')
    expect(rare.page).toMatchObject({ nextCursor: null, isCountExact: true })
    expect(rare.page.jobs).toHaveLength(3)
    const search = await list(`q=DOC-${count - 7}.`)
    expect(search.page.jobs).toHaveLength(1)
    const both = await list('author=usr_seed_3&model=claude-opus-5-5&pullRequest=merged&status=completed')
    const where = {
      projectId,
      createdBy: 'usr_seed_3',
      model: 'claude-opus-5-5',
      prState: 'merged',
      status: 'completed',
    } as const
    expect(both.page.counts?.completed).toBeGreaterThan(0)
    expect(both.page.counts?.completed).toBe(await prisma.job.count({ where }))
    console.log(
      `${count} jobs: list ${plain.ms} ms, rare author ${rare.ms} ms, combined filters ${both.ms} ms, search ${search.ms} ms`,
    )

    const browser = await openBrowser()
    onTestFinished(() => browser.close())
    const { page, context, expectClean } = await openPage(browser, { origin: api.url })
    const [name = '', value = ''] = cookie.split(/=(.*)/s)
    await context.addCookies([{ name, value, url: api.url }])
    const started = performance.now()
    await page.goto(`${api.url}/projects/${projectId}/jobs`)
    const rows = page.getByTestId('job-row')
    await rows.first().waitFor()
    const firstMs = Math.round(performance.now() - started)
    await page.getByText(`${PAGE} of ${count.toLocaleString('en-US')} jobs`).waitFor()
    const countNodes = async () => Number(await page.evaluate(`document.querySelectorAll('*').length`))
    const nodes = [await countNodes()]
    expect(nodes[0]).toBeLessThan(FRAME_NODES + PAGE * ROW_NODES)
    for (let shown = 2; shown <= 6; shown += 1) {
      await page.getByRole('button', { name: 'Show older jobs' }).click()
      await expect.poll(() => rows.count()).toBe(PAGE * shown)
    }
    nodes.push(await countNodes())
    expect(nodes[1]).toBeLessThan(FRAME_NODES + 6 * PAGE * ROW_NODES)
    const slowestFrame = await page.evaluate(`(async () => {
      let slowest = 0
      for (let at = 0; at < document.documentElement.scrollHeight; at += 400) {
        const before = performance.now()
        window.scrollTo(0, at)
        await new Promise(requestAnimationFrame)
        slowest = Math.max(slowest, performance.now() - before)
      }
      return Math.round(slowest)
    })()`)
    console.log(
      `${count} jobs: first row after ${firstMs} ms, ${nodes[0]} DOM nodes with ${PAGE} rows, ${nodes[1]} with ${6 * PAGE}, ` +
        `slowest frame while scrolling ${slowestFrame} ms`,
    )

    // The keyboard reaches the last row, selects a range and opens a job.
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    for (let n = 0; n < 9; n += 1) await page.keyboard.press('j')
    await page.keyboard.press('Shift+X')
    await page.getByText('10 selected').waitFor()
    const chosen = await page.locator('tr[data-selected]').getAttribute('data-job')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/jobs/${chosen}`)
    expectClean()
  },
)
