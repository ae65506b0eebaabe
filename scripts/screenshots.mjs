// Creates the images in docs/screenshots from the built product: `pnpm screenshots`. Requires
// Chromium and the programs that the quickstart requires.
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openBrowser, openPage, themes } from '../packages/testkit/dist/index.js'
import { openScene } from './screenshots/open-scene.mjs'

const OUT = fileURLToPath(new URL('../docs/screenshots', import.meta.url))
const LIMIT = 250_000
const TOTAL_LIMIT = 4_000_000
const WIDE = { width: 1280, height: 860 }
const NARROW = { width: 360, height: 720 }
/** Viewport in which the job page shows the side-by-side view by default. */
const WIDEST = { width: 1520, height: 900 }

await mkdir(OUT, { recursive: true })
const scene = await openScene()
const browser = await openBrowser()
try {
  await take('setup', '/setup', 'button[type=submit]', WIDE)
  const { projectId, jobId, invitation } = await scene.createData()
  await take('sign-in', '/sign-in', 'button[type=submit]', WIDE)
  await take('invitation', invitation, 'button[type=submit]', WIDE)
  const cookie = scene.cookie()
  const project = `/projects/${projectId}`
  const pages = [
    ['projects', '/projects', 'text=Harbour handbook'],
    ['setup-guide', `${project}/setup-guide`, 'text=All set'],
    ['jobs', `${project}/jobs`, '[data-testid=status-badge]'],
    ['job', `${project}/jobs/${jobId}`, 'text=guides/calendars.mdx'],
    ['new-job', `${project}/jobs/new`, 'textarea'],
    ['keys', `${project}/keys`, 'text=docs-bot'],
    ['members', `${project}/members`, 'text=olive@example.com'],
    ['settings', `${project}/settings`, '[data-testid=deployment-row]'],
    ['account', '/account', 'text=This browser'],
    ['operations', '/ops', '[data-testid=worker-row]'],
  ]
  for (const [name, at, ready] of pages) await take(name, at, ready, WIDE, cookie)
  await take('job-beside', `${project}/jobs/${jobId}`, '[data-testid=diff-beside]', WIDEST, cookie)
  for (const [name, at, ready] of pages.filter(([name]) => name === 'jobs' || name === 'job')) {
    await take(`${name}-phone`, at, ready, NARROW, cookie)
  }
} finally {
  await browser.close()
  await scene.close()
}
await checkSizes()

/** Takes one screenshot in each theme. */
async function take(name, at, ready, size, cookie = '') {
  for (const theme of themes) {
    const watched = await openPage(browser, { origin: scene.url, theme, ...size })
    const pairs = cookie ? cookie.split('; ').map((pair) => pair.split(/=(.*)/s)) : []
    await watched.context.addCookies(pairs.map(([name, value]) => ({ name, value, url: scene.url })))
    await watched.page.goto(`${scene.url}${at}`)
    await watched.page.locator(ready).first().waitFor()
    await watched.page.evaluate('document.fonts.ready')
    // Waits for content that loads after the first paint, such as counts and the diff.
    await watched.page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => {})
    const png = await watched.page.screenshot()
    watched.expectClean()
    await watched.close()
    await writeFile(path.join(OUT, `${name}-${theme}.png`), png)
    console.log(`${name}-${theme}.png ${Math.round(png.length / 1000)} KB`)
  }
}

async function checkSizes() {
  let total = 0
  for (const file of await readdir(OUT)) {
    const { size } = await stat(path.join(OUT, file))
    total += size
    if (size > LIMIT) throw new Error(`${file} is ${size} bytes, which exceeds the limit of ${LIMIT}.`)
  }
  console.log(`${Math.round(total / 1000)} KB in total`)
  if (total > TOTAL_LIMIT)
    throw new Error(`The screenshots are ${total} bytes in total, which exceeds the limit of ${TOTAL_LIMIT}.`)
}
