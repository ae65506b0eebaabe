import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { endJobWith, toAddedFile } from './test-support/end-job-with.ts'
import { openDashboard, type TestDashboard } from './test-support/open-dashboard.ts'

vi.setConfig({ testTimeout: 180_000 })

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await openDashboard({ idle: true })
})
afterAll(() => dashboard?.close())

/** Untrusted input. Each sample leaves a trace if it is interpreted as markup. */
const CORPUS = [
  '<script data-xss>window.ran = 1</script>',
  '<img data-xss src="https://evil.example/a.png" onerror="window.ran = 2">',
  '<svg data-xss onload="window.ran = 3"><script>window.ran = 3</script></svg>',
  '<iframe data-xss srcdoc="<script>parent.ran = 4</script>"></iframe>',
  '"><img data-xss src=x onerror=window.ran=5>',
  "'-window.ran=6-'",
  '<a data-xss href="javascript:window.ran=7">x</a>',
  '<style data-xss>@import "https://evil.example/a.css";</style>',
  '<link data-xss rel=stylesheet href=https://evil.example/b.css>',
  '<meta data-xss http-equiv=refresh content="600;url=https://evil.example/">',
  '<form data-xss action="https://evil.example/"><button autofocus onfocus="window.ran=8">x</button></form>',
  '<math data-xss><mtext><table><mglyph><style><!--</style><img src=x onerror=window.ran=9>',
  '{{constructor.constructor("window.ran=10")()}}',
  `\${window.ran=11}`,
  '\u202e\u2066<b data-xss>right to left</b>',
]
/** Untrusted Markdown. */
const MARKDOWN = [
  '[link](javascript:window.ran=20)',
  '[link](  JaVaScRiPt:window.ran=21 "t")',
  '[link](java&#x0A;script:window.ran=22)',
  '[link](data:text/html,<script>window.ran=23</script>)',
  '[link](vbscript:x) <javascript:window.ran=24>',
  '![image](https://evil.example/c.png)',
  '![image](javascript:window.ran=25)',
  '[![image](https://evil.example/d.png)](javascript:window.ran=26)',
  '[ref]: javascript:window.ran=27\n\n[ref]',
  '```html\n<script data-xss>window.ran=28</script>\n```',
  '`<img data-xss src=x onerror=window.ran=29>`',
  '<https://evil.example/" onmouseover="window.ran=30>',
  '| a | b |\n|---|---|\n| <img data-xss src=x onerror=window.ran=31> | [x](javascript:window.ran=32) |',
  '[fine](https://docs.example/page)',
  '<details data-xss open ontoggle=window.ran=33>x</details>',
  '[^1]\n\n[^1]: <img data-xss src=x onerror=window.ran=34>',
]
const ALL = [...CORPUS, ...MARKDOWN]
const TEXT = ALL.join('\n\n')
/** Several samples joined into one line, for fields with a length limit. */
const LINE = CORPUS.slice(0, 7).join(' ')

async function makeJob(): Promise<string> {
  const job = await dashboard.createJob(TEXT, { metadata: { [LINE.slice(0, 40)]: LINE.slice(0, 500) } })
  const before = ALL.flatMap((text) => text.split('\n'))
  const after = before.map((line) => `${line} more`)
  const edited = [...before.map((line) => `-${line}\n`), ...after.map((line) => `+${line}\n`)].join('')
  const input = { path: LINE, text: TEXT, [LINE]: { deep: [TEXT] } }
  await endJobWith(dashboard.database, job.id, {
    title: LINE,
    summary: TEXT,
    branch: LINE,
    checks: [
      {
        name: LINE,
        status: 'failed',
        introduced: 1,
        preexisting: 0,
        findings: [{ file: LINE, line: 1, message: TEXT }],
      },
    ],
    files: [
      toAddedFile(`${CORPUS[1]}.md`, ['---', ...CORPUS, '---', '', ...ALL.flatMap((text) => text.split('\n'))]),
      {
        path: `${CORPUS[4]}/${CORPUS[0]}.mdx`,
        status: 'modified',
        omitted: null,
        additions: after.length,
        deletions: before.length,
        patch: `--- a/x\n+++ b/x\n@@ -1,${before.length} +1,${after.length} @@\n${edited}`,
      },
      toAddedFile(`${CORPUS[2]}.json`, before),
      { path: CORPUS[3] ?? '', status: 'added', additions: 0, deletions: 0, patch: null, omitted: 'binary' },
    ],
    texts: [{ path: `${CORPUS[4]}/${CORPUS[0]}.mdx`, text: `${after.join('\n')}\n` }],
    rows: [
      { role: 'header', content: { model: LINE, harnessVersion: LINE, system: TEXT, tools: [{ name: LINE }] } },
      { role: 'user', content: [{ type: 'text', text: TEXT }] },
      ...ALL.map((text) => ({ role: 'assistant' as const, content: [{ type: 'text', text }] })),
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: TEXT, signature: 's' },
          { type: 'tool_use', id: LINE, name: LINE, input },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: LINE, is_error: true, content: TEXT }] },
    ],
    pullRequest: { number: 7, url: 'javascript:window.ran=40', branch: LINE, state: 'open', draft: false },
  })
  await dashboard.database.prisma.project.update({ where: { id: dashboard.projectId }, data: { name: LINE } })
  await dashboard.database.prisma.jobMessage.create({
    data: { id: `msg_${job.id}`, jobId: job.id, projectId: dashboard.projectId, prompt: TEXT },
  })
  return job.id
}

/**
 * Finds elements from the corpus, event handlers, script links, external resources and traces of
 * executed scripts.
 */
const FIND_TRACES = `(() => {
  const own = location.origin
  const bad = [...document.querySelectorAll('*')].filter((element) => {
    const { tagName, attributes } = element
    if (/^(iframe|object|embed|base|meta|style|script)$/i.test(tagName) && !element.closest('head')) return true
    if (element.hasAttribute('data-xss')) return true
    return [...attributes].some(({ name, value }) => {
      if (/^on/i.test(name) || name === 'srcdoc') return true
      if (!/^(href|src|action|formaction|xlink:href|poster|data|background)$/i.test(name)) return false
      if (/^\\s*(javascript|data|vbscript):/i.test(value) && !(tagName === 'LINK' && value.startsWith('data:image/svg+xml,'))) return true
      return tagName !== 'A' && new URL(value, own).origin !== own && !value.startsWith('data:image/svg+xml,')
    })
  })
  const links = [...document.querySelectorAll('a[href]')]
    .filter((link) => new URL(link.href).origin !== own && !(link.relList.contains('noreferrer') && link.target === '_blank'))
  return [...bad, ...links].map((element) => element.outerHTML.slice(0, 300)).concat(window.ran === undefined ? [] : ['ran ' + window.ran])
})()`

/** Opens each part of the job page and the job list, and collects the traces. */
async function inspect(jobId: string, options: { bypassCSP: boolean }) {
  const traces = new Set<string>()
  const context = await dashboard.browser.newContext({
    bypassCSP: options.bypassCSP,
    viewport: { width: 1280, height: 900 },
  })
  const foreign: string[] = []
  context.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(dashboard.url)) foreign.push(request.url())
  })
  const pairs = dashboard.admin.cookie.split('; ').map((pair) => pair.split(/=(.*)/s))
  await context.addCookies(pairs.map(([name = '', value = '']) => ({ name, value, url: dashboard.url })))
  const page = await context.newPage()
  const note = async () => {
    for (const trace of (await page.evaluate(FIND_TRACES)) as string[]) traces.add(trace)
  }
  await page.goto(`${dashboard.url}/projects/${dashboard.projectId}/jobs/${jobId}`)
  await page.getByRole('button', { name: 'Show full prompt' }).click()
  let seen = 0
  const scroll = async () => {
    const height = (await page.evaluate('document.documentElement.scrollHeight')) as number
    for (let top = 0; top < height; top += 700) {
      await page.evaluate(
        `new Promise((done) => { scrollTo(0, ${top}); requestAnimationFrame(() => requestAnimationFrame(done)) })`,
      )
      await note()
      seen += (await page.locator('.diff-list-row').count()) > 0 ? 1 : 0
    }
  }
  for (const view of ['Split', 'Rendered', 'Source']) {
    await page.getByLabel(view).check()
    await scroll()
  }
  await page.getByRole('tab', { name: 'Transcript' }).click()
  for (const toggle of await page.locator('.disclosure-toggle').all()) await toggle.click()
  await scroll()
  for (const tab of ['Checks', 'Raw']) {
    await page.getByRole('tab', { name: tab }).click()
    await note()
  }
  // The job list also shows untrusted text.
  const text = (await page.locator('main').textContent()) ?? ''
  await page.goto(`${dashboard.url}/projects/${dashboard.projectId}/jobs`)
  await page.waitForLoadState('networkidle')
  await note()
  await context.close()
  return { traces: [...traces], foreign, text, seen }
}

test(`renders untrusted input as text: ${ALL.length} samples on all screens, with and without the content security policy`, async () => {
  const jobId = await makeJob()
  for (const bypassCSP of [true, false]) {
    const { traces, foreign, text, seen } = await inspect(jobId, { bypassCSP })
    expect(traces).toEqual([])
    expect(foreign).toEqual([])
    // The samples were rendered, not dropped.
    expect(text).toContain('<script data-xss>')
    expect(seen).toBeGreaterThan(4)
  }
})

test('the detector finds each sample that is inserted as markup', async () => {
  const { page, close } = await dashboard.openPage(`/projects/${dashboard.projectId}/jobs`)
  await page.getByRole('main').waitFor()
  expect(await page.evaluate(FIND_TRACES)).toEqual([])
  for (const sample of CORPUS.filter((text) => text.includes('data-xss'))) {
    // A careless component would insert the sample this way.
    await page.evaluate(`{
      const place = document.querySelector('main').appendChild(document.createElement('div'))
      place.id = 'careless'
      place.innerHTML = ${JSON.stringify(sample)}
    }`)
    expect((await page.evaluate(FIND_TRACES)) as string[], sample).not.toEqual([])
    await page.evaluate('document.getElementById("careless").remove()')
  }
  await close()
})

test('the content security policy blocks injected scripts and external images', async () => {
  const at = `/projects/${dashboard.projectId}/jobs`
  const inject = `(async () => {
    const place = document.querySelector('main').appendChild(document.createElement('div'))
    place.innerHTML = '<img src="/nothing" onerror="window.ran = 1"><img src="http://127.0.0.1:1/pixel.png">'
    const script = place.appendChild(document.createElement('script'))
    script.textContent = 'window.ran = 2'
    const other = place.appendChild(document.createElement('script'))
    other.src = 'data:text/javascript,window.ran=4'
    await new Promise((done) => setTimeout(done, 200))
    return window.ran ?? null
  })()`
  const context = await dashboard.browser.newContext()
  const pairs = dashboard.admin.cookie.split('; ').map((pair) => pair.split(/=(.*)/s))
  await context.addCookies(pairs.map(([name = '', value = '']) => ({ name, value, url: dashboard.url })))
  const page = await context.newPage()
  await page.goto(`${dashboard.url}${at}`)
  await page.getByRole('main').waitFor()
  expect(await page.evaluate(inject)).toBeNull()
  // Without the policy, the scripts run, so it is the policy that blocks them.
  await page.route(`**${at}`, async (route) => {
    const original = await route.fetch()
    const { 'content-security-policy': _policy, ...headers } = original.headers()
    await route.fulfill({ response: original, headers })
  })
  await page.goto(`${dashboard.url}${at}`)
  await page.getByRole('main').waitFor()
  expect(await page.evaluate(inject)).not.toBeNull()
  await context.close()
})
