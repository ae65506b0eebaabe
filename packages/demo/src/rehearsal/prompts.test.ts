import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readSampleDocs } from '../samples/read-sample-docs.ts'
import { docs, listChanged, rehearseSample } from './test-support/rehearse-sample.ts'

const PULL_REQUEST = 'changed'
const QUESTION = 'needs_input'
const ANSWER = 'no_change'
/** The job ends with the outcome `rehearsal`. */
const REHEARSAL = 'impossible'

/** Prompts of newcomers, how each ends, and a part of the title or the reason. */
const PROMPTS: readonly (readonly [prompt: string, ending: string, part: string])[] = [
  ['Fix typos on the start page', PULL_REQUEST, 'Fix typos in introduction.mdx'],
  ['Update the documentation for our recent pushes to main: Repository: owner/repo', PULL_REQUEST, 'recent changes'],
  ['Document the new --json flag', PULL_REQUEST, 'Document --json of logs'],
  ['Document the new --json flag of the export command', QUESTION, '`--json` of logs'],
  ['Add 2.5 to the changelog page: `tidewater logs --json` prints one object per line.', PULL_REQUEST, 'Add 2.5'],
  ['Add a page about rate limits', PULL_REQUEST, 'Add page "Rate limits"'],
  ['Rename Tidewater to Riverbend everywhere', PULL_REQUEST, 'Rename "Tidewater" to "Riverbend"'],
  ['Replace tidewater doctor with tidewater check in the guides', PULL_REQUEST, 'tidewater check'],
  ['Fix typo: "recieve" -> "receive"', ANSWER, 'nothing to replace'],
  ['Write a quickstart for Python users', PULL_REQUEST, 'Quickstart for Python users'],
  ['Add a troubleshooting section to the installation page', PULL_REQUEST, 'Add to installation.mdx'],
  ['Translate the introduction into German', REHEARSAL, 'does not translate'],
  ['Remove the deprecated features from the docs', QUESTION, 'Which feature'],
  ['Update the copyright year', PULL_REQUEST, 'Update the copyright year'],
  ['What does this repository document?', ANSWER, 'job-scheduling service'],
  ['Fix broken links', PULL_REQUEST, 'Fix broken links'],
  ['rename "dashboard" to "console" everywhere', ANSWER, 'nothing to replace'],
  ['replace "Acme CLI" with "Acme Tool"', ANSWER, 'nothing to replace'],
  ['move page guides/install to start/setup', QUESTION, 'Which page do you mean?'],
  ['delete page guides/legacy', QUESTION, 'Which page do you mean?'],
  ['append to guides/install: """More."""', QUESTION, 'Which page do you mean?'],
  ['add page guides/proxy titled "Use a proxy" with text """Set HTTPS_PROXY."""', PULL_REQUEST, 'Use a proxy'],
  ['move page guides/deploying to guides/production', PULL_REQUEST, 'guides/production'],
  ['delete page guides/calendars', PULL_REQUEST, 'Delete page guides/calendars'],
  // Of a reader who has not read GRAMMAR.md.
  ['Can you please correct the spelling mistakes in our docs?', PULL_REQUEST, 'Fix typos'],
  ['There are some typos in the deployment guide', PULL_REQUEST, 'guides/deploying.mdx'],
  ['We renamed the `doctor` command to `check`. Please update the docs.', PULL_REQUEST, 'tidewater check'],
  ["Use 'tidewater check' instead of 'tidewater doctor'", PULL_REQUEST, 'tidewater check'],
  ['Rename «Tidewater» to «Riverbend»', PULL_REQUEST, 'Riverbend'],
  ['What changed in the code last week? Update the docs accordingly.', PULL_REQUEST, 'recent changes'],
  ['The page about tidewater run is out of date', PULL_REQUEST, 'Update cli/run'],
  ['The --wait-start default is wrong in the docs, fix it', PULL_REQUEST, 'Update cli/run'],
  ['Document the resume command', PULL_REQUEST, 'tidewater resume'],
  ['Move the calendars page to the Operating group', PULL_REQUEST, 'to Operating'],
  ['Remove the pagination page', PULL_REQUEST, 'Delete page api/pagination'],
  ['Rename the calendars page to Holiday calendars', PULL_REQUEST, 'guides/holiday-calendars'],
  ['Add a note to the installation page that says Windows needs version 11 or newer', PULL_REQUEST, 'installation'],
  ['Our API limit is now 1000 requests per minute instead of 600', PULL_REQUEST, '1000 requests'],
  ['Write release notes for 2.5', PULL_REQUEST, 'Add 2.5'],
  ['Change the title of the installation page to "Install Tidewater"', PULL_REQUEST, 'title'],
  ['Add a page about Kubernetes', QUESTION, 'must not be invented'],
  ['make it better', QUESTION, 'What should change?'],
  ['fix teh typos on teh home page', PULL_REQUEST, 'introduction.mdx'],
  // Of a second reader.
  ['Change the default of --wait-start to 5m in the run command page', PULL_REQUEST, 'default of --wait-start'],
  ['Explain in the configuration file page what happens when a key is unknown', QUESTION, 'cli/config.mdx'],
  ['Add a troubleshooting section about workers behind a proxy that drops idle connections', QUESTION, 'Which page'],
  ['Is the --raw flag documented anywhere?', ANSWER, 'mention "--raw"'],
  ['The timeout default is now 2m instead of 1m. Please update the docs.', PULL_REQUEST, 'timeout from 1m to 2m'],
  ['Add a warning to the secrets guide that tokens must not be stored in config.toml', PULL_REQUEST, 'guides/secrets'],
  ['Add an FAQ page to the Get started group', QUESTION, 'the page about FAQ'],
  ['Delete the migrating from cron guide, we no longer need it', PULL_REQUEST, 'guides/migrating-from-cron'],
  ['Which flags of tidewater list are missing from the docs?', ANSWER, '`--json` of logs'],
  ['Document the new json output of tidewater logs', PULL_REQUEST, 'Document --json of logs'],
  ['Write a poem about sheep', REHEARSAL, 'does not understand'],
  ['that page is wrong, can you fix it?', QUESTION, 'What should change'],
  ['can you summarise retries-and-backoff in three sentences', REHEARSAL, 'does not understand'],
  ['first-schedule.mdx links to /guides/calendar, it should be /guides/calendars', PULL_REQUEST, 'broken links'],
  ['theres a doubled word on the start page (the the), pls fix', PULL_REQUEST, 'introduction.mdx'],
  // Several requests in one prompt.
  ['Fix typos and broken links', PULL_REQUEST, 'Fix typos and fix broken links'],
  ['Fix the broken links and the typos', PULL_REQUEST, 'Fix broken links and fix typos'],
  ['Correct the typos, and document the --json flag', PULL_REQUEST, 'and document --json of logs'],
  ['Fix the typos on the start page and delete the calendars page', PULL_REQUEST, 'delete page guides/calendars'],
  ['Move the secrets page to guides/managing-secrets and fix broken links', PULL_REQUEST, 'and fix broken links'],
  ['Document --json and the --frobnicate flag', PULL_REQUEST, 'Document --json of logs'],
  // Clear requests that need a real model.
  ['Rewrite the quickstart in the second person', REHEARSAL, 'does not understand'],
  ['Reword the first sentence of the start page', REHEARSAL, 'does not understand'],
  ['Fix the heading levels on the install page', REHEARSAL, 'does not understand'],
  ['Update everything to British English', REHEARSAL, 'does not understand'],
  ['Add an example for the logs command', QUESTION, 'Which page'],
  ['Improve the deployment guide', QUESTION, 'guides/deploying.mdx'],
]

test.each(PROMPTS)('%s → %s', (prompt, ending, part) => {
  const rehearsal = rehearseSample(prompt)
  const { finished, accepted } = rehearsal
  expect([accepted, finished.outcome]).toEqual([true, ending])
  expect(finished.title ?? finished.reason).toContain(part)
  expect(finished.body ?? finished.reason).toContain('No AI was used')
  expect(listChanged(rehearsal).length > 0).toBe(ending === PULL_REQUEST)
})

test('at least 47 of the 70 prompts end with a pull request or a question', () => {
  expect(PROMPTS).toHaveLength(70)
  expect(PROMPTS.filter(([, ending]) => ending === PULL_REQUEST || ending === QUESTION).length).toBeGreaterThanOrEqual(
    47,
  )
})

/** The prompts in commands and requests of a document. */
function listPrompts(file: string): string[] {
  const text = readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8')
  return [...text.matchAll(/(?:"prompt": |--prompt )"([^"…$]+)"/g)].map(([, prompt = '']) => prompt)
}

test.each(['README.md', 'docs/jobs.md', 'docs/quickstart.md'])('the prompts in %s are understood', (file) => {
  const prompts = listPrompts(file)
  expect(prompts.length).toBeGreaterThan(0)
  for (const prompt of prompts)
    expect([prompt, rehearseSample(prompt).finished.outcome]).toEqual([prompt, PULL_REQUEST])
})

describe('changes follow the rules of the repository', () => {
  test('typos: all planted ones are corrected, and nothing else changes', () => {
    const { harness } = rehearseSample('fix all typos')
    const right = readSampleDocs()
    const kept = ['guides/first-schedule.mdx', 'troubleshooting/missed-runs.mdx', 'cli/run.mdx']
    for (const [path, { data }] of right) if (!kept.includes(path)) expect(harness.files.get(path), path).toBe(data)
  })

  test('broken links and outdated defaults become what they were', () => {
    const right = readSampleDocs()
    const links = rehearseSample('Some links are dead, repair them')
    expect(listChanged(links)).toEqual(['guides/first-schedule.mdx', 'troubleshooting/missed-runs.mdx'])
    for (const path of listChanged(links)) expect(links.harness.files.get(path)).toBe(right.get(path)?.data)
    const { harness, finished } = rehearseSample("Check cli/run against the code and fix what's outdated")
    expect(harness.files.get('cli/run.mdx')).toBe(right.get('cli/run.mdx')?.data)
    expect(finished.evidence).toMatchObject([{ page: 'cli/run.mdx', path: 'internal/cli/run.go' }])
  })

  test('a replacement does not change release notes or instructions', () => {
    for (const prompt of ['tidewater doctor -> tidewater check', 'replace "tidewater doctor" with "tidewater check"']) {
      const rehearsal = rehearseSample(prompt)
      expect(listChanged(rehearsal)).toHaveLength(4)
      expect(rehearsal.harness.files.get('changelog/releases.mdx')).toBe(docs['changelog/releases.mdx'])
      expect(rehearsal.finished.body).toContain('Not changed, because they are release notes or instructions')
    }
    const only = rehearseSample('replace "It had been deprecated since 2.0" with "It is gone"')
    expect(only.finished).toMatchObject({ outcome: 'no_change', reason: expect.stringContaining('occurs only there') })
  })

  test('a changelog entry is added above the earlier ones', () => {
    const { harness } = rehearseSample('Add 2.5 to the changelog: Locks can expire')
    const before = docs['changelog/releases.mdx'] ?? ''
    expect(harness.files.get('changelog/releases.mdx')).toBe(
      before.replace('## 2.4', '## 2.5\n\n- Locks can expire.\n\n## 2.4'),
    )
  })

  test('a new page contains only text of the documentation, with front matter as the rules require', () => {
    const { harness } = rehearseSample('Add a page about rate limits')
    const page = harness.files.get('guides/rate-limits.mdx') ?? ''
    expect(page).toMatch(/^---\ntitle: Rate limits\ndescription: .+\.\n---\n\n/)
    expect(page).toContain('A token may make 600 requests a minute.')
    expect(page).toContain('[API overview](/api/overview)')
    expect(harness.files.get('docs.json')).toContain('"guides/rate-limits"')
  })
})
