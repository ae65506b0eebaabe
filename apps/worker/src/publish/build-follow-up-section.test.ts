import type { Evidence, RunSource } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { buildFollowUpSection } from './build-follow-up-section.ts'
import { buildPullRequestText } from './build-pull-request-text.ts'
import { buildTextInput } from './test-support/build-text-input.ts'

const commit = 'a'.repeat(40)
const source: RunSource = {
  name: 'api',
  repository: 'https://github.com/acme/api',
  ref: 'main',
  commit,
  baseCommit: null,
  visibility: 'public',
  cite: 'links',
  paths: [],
  quotable: [],
}
const evidence = Array.from({ length: 30 }, (_, n): Evidence => {
  const path = `src/${'folder/'.repeat(30)}file-${n}.ts`
  return { page: 'a.md', source: 'api', path, fromLine: 1, toLine: 2, note: 'x'.repeat(250) }
})
const FLAG = 'docs/cli.md:7 contains a script'
const long = { evidence, sources: [source], flags: [FLAG], prompt: 'p '.repeat(9000), body: 'b '.repeat(18_000) }
const build = (some: Parameters<typeof buildTextInput>[0]) =>
  buildFollowUpSection({ ...buildTextInput(some), number: 2 })

test('starts with the items for the reviewer', () => {
  const section = build({ code: ['a.mdx:1 adds an import'], flags: [FLAG] })
  const lines = section.split('\n').filter((line) => line !== '')
  expect(lines.slice(0, 4)).toEqual([
    '## Follow-up 2',
    '- a.mdx:1 adds an import',
    `- ${FLAG}`,
    '> Document the new `--json` flag',
  ])
})

test('long evidence and texts hide no flags and no files', () => {
  const section = build({ evidence, sources: [source], flags: [FLAG] })
  expect(section).toContain('contains a script')
  expect(section).toContain('docs/cli.md` | modified')
  expect(section.match(/api: src/g)?.length).toBeLessThan(10)
  expect(section).toContain('… truncated. See the job page for the rest.')
  const longest = build(long)
  expect(longest.length).toBeLessThanOrEqual(12_000)
  expect(longest).toContain('contains a script')
})

test('too many flags refer to the changed files, because the job page does not list them', () => {
  const flags = Array.from({ length: 500 }, (_, n) => `docs/page-${n}.md:7 loads an external image`)
  for (const kind of ['flags', 'code'] as const) {
    const some = { [kind]: flags }
    for (const text of [build(some), buildPullRequestText(buildTextInput(some)).body]) {
      expect(text).toContain('docs/page-0.md:7')
      expect(text).toMatch(/page-\d+\.md:7 loads an external image\n\n… truncated\. Review all changed files\.\n/)
    }
  }
})

test('a long body of the first run keeps its flags and its footer', () => {
  const prompt = '\n'.repeat(8000).replace(/\n/g, '.\n')
  const changes = Array.from({ length: 500 }, (_, n) => ({
    path: `docs/${n}.md`,
    kind: 'added' as const,
    added: 1,
    removed: 0,
  }))
  const findings = Array.from({ length: 10 }, () => ({ file: 'a.md', line: 1, message: 'm'.repeat(300) }))
  const checks = Array.from({ length: 10 }, (_, n) => ({
    name: `check-${n}`,
    status: 'failed' as const,
    introduced: 10,
    preexisting: 0,
    findings,
  }))
  const code = Array.from({ length: 500 }, (_, n) => `a.mdx:${n} adds an import`)
  const { body } = buildPullRequestText(buildTextInput({ ...long, prompt, changes, checks, code }))
  expect(body.length).toBeLessThanOrEqual(60_000)
  expect(body).toContain(`## Needs review\n\n- ${FLAG}\n\n---\n`)
  expect(body).toContain('Corrigenda job [`job_01`]')
})
