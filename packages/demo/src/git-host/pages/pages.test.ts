import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FileChange } from '../host/types.ts'
import { files, openTestHost, type TestHost } from '../test-support/open-test-host.ts'

/** Injection attempts in text fields. Each must be rendered as text. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  '</title><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  '</pre></code></table></details><script>alert(1)</script>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java&#115;cript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](vbscript:msgbox(1))',
  '[x](//evil.example/x)',
  '[x](http://a.example/"onmouseover="alert(1))',
  '[<img src=x onerror=alert(1)>](https://a.example)',
  '![x](https://evil.example/pixel.png)',
  '`<script>alert(1)</script>`',
  '**<b onclick=alert(1)>x</b>**',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;alert(1)&#60;/script&#62;',
  '\\<script\\>alert(1)\\</script\\>',
  '<!-- --><script>alert(1)</script>',
  '<!--><script>alert(1)</script>-->',
  '<details ontoggle=alert(1) open><summary>x</summary></details>',
  '<details><summary><script>alert(1)</script></summary><script>alert(1)</script></details>',
  '<https://a.example/"><script>alert(1)</script>>',
  '```"><script>alert(1)</script>\n<script>alert(1)</script>\n```',
  '| <script>alert(1)</script> |\n| --- |\n| <img src=x onerror=alert(1)> |',
  '- [ ] <script>alert(1)</script>',
  '> <script>alert(1)</script>',
  '# <script>alert(1)</script>',
  '{{7*7}}<%= 7*7 %>',
  '\u202Egnp.exe\u0000\u001b[31m',
]
const ALLOWED_TAGS =
  'a article blockquote body br caption code col colgroup details div em footer h1 h2 h3 h4 head header hr html input li main mark meta nav ol p pre s section span strong style summary table tbody td th thead time title tr ul'.split(
    ' ',
  )
const ALLOWED_ATTRIBUTES =
  'aria-label charset checked class colspan content datetime disabled href id lang name open type'.split(' ')

let t: TestHost
beforeAll(async () => {
  t = await openTestHost()
  const paths = [
    '<script>alert(1)<',
    '"onmouseover="x',
    "it's & <b>",
    'space and é',
    'tab\tand\nnewline',
    '-rf',
    '$(x)`y`',
  ]
  const hostile: [string, FileChange][] = [
    ...paths.map((path, i): [string, FileChange] => [`odd/${path}/${i}.md`, { data: HOSTILE.join('\n') }]),
    ['latin1.md', { data: Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]) }],
    ['binary.bin', { data: Buffer.from([0, 1, 2, 0, 255]) }],
    ['link', { data: '../../../etc/passwd', mode: '120000' }],
    ['module', { data: '1'.repeat(40), mode: '160000' }],
    ['run.sh', { data: '#!/bin/sh\n', mode: '100755' }],
    ['guide/one.md', { data: '<b>one</b>\ntwo\nthree' }],
  ]
  await t.host.pushCommit('acme/docs', 'hostile', {
    files: new Map(hostile),
    message: HOSTILE.join('\n'),
    author: { name: 'A "quoted" & odd one', email: 'x@example.com' },
  })
  const created = await t.octokit.rest.pulls.create({
    owner: 'acme',
    repo: 'docs',
    head: 'hostile',
    base: 'main',
    title: '</title><script>alert(1)</script>`<img src=x>`',
    body: HOSTILE.join('\n\n'),
  })
  const issue = { owner: 'acme', repo: 'docs', issue_number: created.data.number }
  await t.octokit.rest.issues.addLabels({ ...issue, labels: ['<script>alert(1)</script>'] })
  for (const body of HOSTILE) await t.octokit.rest.issues.createComment({ ...issue, body })
  await t.octokit.rest.pulls.requestReviewers({ owner: 'acme', repo: 'docs', pull_number: 1, reviewers: ['<b>x</b>'] })
})
afterAll(() => t.close())

const get = (path: string) => fetch(`${t.host.url}${path}`, { redirect: 'manual' })

function listTags(page: string): { name: string; attributes: string[] }[] {
  const content = page.replace(/<style>[^<]*<\/style>/, '')
  return [...content.matchAll(/<\/?([a-z][a-z0-9]*)((?:\s+[^\s=/>]+(?:="[^"]*")?)*)\s*\/?>/gi)].map((match) => ({
    name: match[1]?.toLowerCase() ?? '',
    attributes: [...(match[2] ?? '').matchAll(/\s+([^\s=>]+)(?:="[^"]*")?/g)].map((attribute) => attribute[1] ?? ''),
  }))
}

describe('pages with hostile content', () => {
  const oddFile = async () => {
    const { data } = await t.octokit.rest.pulls.get({ owner: 'acme', repo: 'docs', pull_number: 1 })
    return `/acme/docs/blob/${data.head.sha}/${encodeURIComponent("odd/it's & <b>/2.md")}`
  }

  it.each([async () => '/', async () => '/acme/docs', async () => '/acme/docs/pull/1', oddFile])(
    'contain only the allowed tags and attributes (%#)',
    async (find) => {
      const response = await get(await find())
      expect(response.status).toBe(200)
      const page = await response.text()
      const tags = listTags(page)
      expect(tags.length).toBeGreaterThan(20)
      // Every "<" belongs to a recognized tag. The rest is text.
      const rest = page
        .replace(/<style>[^<]*<\/style>|<!doctype html>/g, '')
        .replace(/<\/?[a-z][a-z0-9]*(?:\s+[^\s=/<>]+(?:="[^"<>]*")?)*\s*\/?>/gi, '')
      expect(rest).not.toContain('<')
      expect([...new Set(tags.map((tag) => tag.name))].filter((name) => !ALLOWED_TAGS.includes(name))).toEqual([])
      const attributes = new Set(tags.flatMap((tag) => tag.attributes))
      expect([...attributes].filter((name) => name !== '' && !ALLOWED_ATTRIBUTES.includes(name))).toEqual([])
    },
  )

  it('contain no links with an unsafe protocol', async () => {
    const page = await (await get('/acme/docs/pull/1')).text()
    const targets = [...page.matchAll(/href="([^"]*)"/g)].map((match) => match[1] ?? '')
    expect(targets.filter((target) => /^[a-z]+:/i.test(target) && !/^(https?|mailto):/.test(target))).toEqual([])
    expect(targets).toContain('https://a.example')
  })

  it('close every tag in order', async () => {
    const page = (await (await get('/acme/docs/pull/1')).text()).replace(/<style>[^<]*<\/style>/, '')
    const open: string[] = []
    for (const [, slash, name = ''] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
      if (['br', 'col', 'hr', 'input', 'meta'].includes(name)) continue
      if (slash) expect(open.pop()).toBe(name)
      else open.push(name)
    }
    expect(open).toEqual([])
  })

  it('show hostile content as text', async () => {
    const page = await (await get('/acme/docs/pull/1')).text()
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page).toContain('[U+202E]gnp.exe')
    expect(page).not.toContain('\u0000')
    expect(page).toContain('odd/space and é/3.md')
    expect(page).toContain('caf\uFFFD')
    expect(page).toContain('empty or binary')
  })

  it('allow no sources except inline styles', async () => {
    for (const path of ['/', '/acme/docs', '/acme/docs/pull/1', '/acme/docs/pull/1.diff', '/no/such/page']) {
      const { headers } = await get(path)
      expect(headers.get('content-security-policy'), path).toMatch(/^default-src 'none'; style-src 'unsafe-inline'/)
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
    }
    const page = await (await get('/acme/docs/pull/1')).text()
    expect(page).not.toMatch(/<(script|link|img|iframe|object|embed|form)\b|@import|url\(/i)
  })
})

describe('pages', () => {
  it("render GitHub's Markdown without comments, and show too much markup as text", async () => {
    await t.pushBranch('acme/docs', 'markdown', { 'm.md': 'm\n' })
    const body = '# One\n\na <b>b</b>\n<!-- hidden -->\n\n- [x] done\n\n| a |\n| - |\n| `x` |'
    const pull = { owner: 'acme', repo: 'docs', head: 'markdown', base: 'main', title: 'Use `x`', body }
    const { data } = await t.octokit.rest.pulls.create(pull)
    const show = async () => (await get(`/acme/docs/pull/${data.number}`)).text()
    const page = await show()
    expect(page).toContain('<h1>One</h1>')
    expect(page).toContain('Use <code>x</code>')
    expect(page).toContain('a &lt;b&gt;b&lt;/b&gt;')
    expect(page).toMatch(/<input type="checkbox" disabled="" checked="" \/> done/)
    expect(page).toContain('<td><code>x</code></td>')
    expect(page).not.toContain('hidden --')
    const at = { owner: 'acme', repo: 'docs', pull_number: data.number }
    await t.octokit.rest.pulls.update({ ...at, body: '*<b>* '.repeat(1_000) })
    expect(await show()).toContain('<pre>*&lt;b&gt;* ')
  })

  it('mark added and removed lines and changed words', async () => {
    await t.pushBranch('acme/docs', 'main', { 'words.md': 'one two three\n' })
    await t.host.pushCommit('acme/docs', 'words', {
      files: files({ 'words.md': 'one four and a half three\n' }),
      message: 'Words',
    })
    const pull = { owner: 'acme', repo: 'docs', head: 'words', base: 'main', title: 'Words' }
    const { data } = await t.octokit.rest.pulls.create(pull)
    const page = await (await get(new URL(data.html_url).pathname)).text()
    expect(page).toMatch(
      /<tr class="removed">.*<td class="sign">-<\/td><td class="text">one <mark>two<\/mark> three<\/td>/,
    )
    expect(page).toMatch(/<tr class="added">.*<td class="text">one <mark>four and a half<\/mark> three<\/td>/)
    expect(page).toContain('<span class="branch">words</span>')
  })

  it('serve the diff as text in git format', async () => {
    const response = await get('/acme/docs/pull/1.diff')
    expect(response.headers.get('content-type')).toBe('text/x-diff; charset=utf-8')
    expect(await response.text()).toMatch(/^diff --git a\/binary\.bin b\/binary\.bin\n/)
  })

  it('show a file at a commit, with an anchor for each line', async () => {
    const { data } = await t.octokit.rest.pulls.get({ owner: 'acme', repo: 'docs', pull_number: 1 })
    const file = (path: string, commit = data.head.sha) => get(`/acme/docs/blob/${commit}/${path}`)
    const page = await (await file('guide/one.md')).text()
    expect(page).toContain('<tr id="L2"><td class="number">2</td><td class="text">two</td></tr>')
    expect(page.match(/<tr id="L/g)).toHaveLength(3)
    expect(await (await file('binary.bin')).text()).toContain('binary or too large')
    expect(await (await file('odd/space%20and%20%C3%A9/3.md')).text()).toContain('<tr id="L1">')
    for (const path of ['absent.md', 'guide', '..%2Findex.md', '%E0%A4%A']) expect((await file(path)).status).toBe(404)
    expect((await file('guide/one.md', '0'.repeat(40))).status).toBe(404)
  })

  it('require no credential, return 404 for missing pages and show empty states', async () => {
    expect((await get('/acme/docs/pull/99')).status).toBe(404)
    expect((await get('/acme/absent')).status).toBe(404)
    expect((await get('/favicon.ico')).status).toBe(204)
    expect((await fetch(`${t.host.url}/acme/docs`, { method: 'POST' })).status).toBe(404)
    await t.host.createRepository('acme/empty', { commits: [] })
    expect(await (await get('/acme/empty')).text()).toContain('No commits yet.')
  })

  it('redirect from the former repository name', async () => {
    await t.host.createRepository('acme/old-name', { commits: [] })
    await t.host.rename('acme/old-name', 'acme/new-name')
    const response = await get('/acme/old-name')
    expect([response.status, response.headers.get('location')]).toEqual([301, `${t.host.url}/acme/new-name`])
  })
})
