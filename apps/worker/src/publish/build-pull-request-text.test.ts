import { findLive, renderGitHub } from '@corrigenda/git/internal/test-support/render-github'
import { describe, expect, test } from 'vitest'
import type { PullRequestTextInput } from './build-pull-request-text.ts'
import { buildTextInput as buildInput, buildTexts, JOB_URL } from './test-support/build-text-input.ts'

describe('body', () => {
  test('contains the prompt, the summary, the check results and a link to the job', () => {
    const { body } = buildTexts(buildInput())
    expect(body).toBe(`## Prompt

> Document the new \`--json\` flag

## Summary

Added a section about \`--json\`.

- in the reference

## Files

| File | Change | Lines |
| --- | --- | --- |
| \`docs/cli.md\` | modified | +12 −1 |

## Checks

| Check | Result | New issues | Existing issues |
| --- | --- | --- | --- |
| links | passed | 0 | 3 |
| syntax | failed | 1 | 0 |

- \`docs/cli.md:7\` unclosed &lt;Card&gt;

## Needs review

- docs/cli.md shows a new image from \`https://images.test/a.png\`

---

Instruction files: \`AGENTS.md\`

Written by \`claude-opus-5\` (4 turns, 1200 tokens, 0.12 USD). Review it like any other change.

Corrigenda job [\`job_01\`](${JOB_URL})
`)
  })

  test('states that the rehearsal model uses no AI', () => {
    const { body } = buildTexts(buildInput({ model: 'rehearsal' }))
    expect(body).toContain('\nWritten by the rehearsal model. No AI was used.\n')
    expect(body).not.toContain('claude')
  })

  test('contains the job id without a link when the job has no public http URL', () => {
    for (const jobUrl of [null, 'javascript:alert(1)', 'nowhere']) {
      const { body } = buildTexts(buildInput({ jobUrl }))
      expect(body).toContain('Corrigenda job `job_01`\n')
      expect(renderGitHub(body).links).toEqual([])
    }
    const { body } = buildTexts(buildInput({ jobUrl: 'https://c.test/a)b](x' }))
    expect(renderGitHub(body).links).toEqual(['https://c.test/a%29b%5D%28x'])
  })

  test('stays within the limit for any job URL', () => {
    const { body } = buildTexts(buildInput({ jobUrl: `https://c.test/${'x'.repeat(70_000)}` }))
    expect(body.length).toBeLessThanOrEqual(60_000)
    expect(renderGitHub(body).active).toEqual([])
  })

  test('omits empty sections', () => {
    const { body } = buildTexts(buildInput({ body: ' \n', changes: [], checks: [], flags: [], instructionsUsed: [] }))
    expect(body.match(/^## .*/gm)).toEqual(['## Prompt'])
    expect(body).not.toContain('Instruction files')
  })

  test('a moved file is one row with both paths', () => {
    const moved = { path: 'docs/b.md', previousPath: 'docs/a.md', kind: 'added', added: 1, removed: 2 } as const
    expect(buildTexts(buildInput({ changes: [moved] })).body).toContain('| `docs/a.md` → `docs/b.md` | moved | +1 −2 |')
  })

  test('escapes Markdown in all text from the prompt, the model and the repository', () => {
    const hostile =
      '</details><script>x</script> ![p](https://evil.test/p) [c](javascript:x) @octocat Fixes #12\n```\n~~~\n# big\n| a |\n|---|\n<!--'
    const { body } = buildTexts(
      buildInput({
        prompt: hostile,
        body: hostile,
        changes: [{ path: hostile, previousPath: hostile, kind: 'added', added: 1, removed: 0 }],
        checks: [
          {
            name: hostile,
            status: 'failed',
            introduced: 1,
            preexisting: 0,
            findings: [{ file: hostile, line: null, message: hostile }],
          },
        ],
        flags: [hostile],
        instructionsUsed: [hostile],
        model: hostile,
      }),
    )
    const rendered = renderGitHub(body)
    expect(rendered.active).toEqual(['a'])
    expect(rendered.links).toEqual([JOB_URL])
    expect(findLive(rendered.text)).toEqual([])
    expect(body).not.toContain('<')
    expect(rendered.html.match(/<h\d>.*?<\/h\d>/g)).toHaveLength(5)
    expect(rendered.html.match(/<table>/g)).toHaveLength(2)
  })

  test.each(['word ', '<', '@a ', '- x\n'])('stays within the limit for long input that repeats %j', (unit) => {
    const mass = unit.repeat(Math.ceil(100_000 / unit.length)).slice(0, 100_000)
    const long = mass.slice(0, 1000)
    const { title, body, commitMessage } = buildTexts(
      buildInput({
        prompt: mass,
        body: mass,
        title: mass,
        flags: Array.from({ length: 100 }, () => long),
        instructionsUsed: Array.from({ length: 100 }, () => long),
        changes: Array.from({ length: 400 }, (_, at) => ({
          path: `${at}${long}`,
          kind: 'added',
          added: 1,
          removed: 0,
        })),
        checks: Array.from({ length: 20 }, () => ({
          name: long,
          status: 'failed',
          introduced: 1,
          preexisting: 1,
          findings: Array.from({ length: 30 }, () => ({ file: long, line: 1, message: long })),
        })),
      }),
    )
    expect(body.length).toBeLessThanOrEqual(60_000)
    expect(body.match(/^## .*/gm)).toHaveLength(5)
    expect(body).toContain(`](${JOB_URL})`)
    expect(body.isWellFormed()).toBe(true)
    expect(body).not.toContain('<')
    expect(title.length).toBeLessThanOrEqual(72)
    expect(commitMessage.length).toBeLessThanOrEqual(1000)
  })
})

describe('secrets', () => {
  const token = ['ghp', 'a1B2'.repeat(9)].join('_')
  const knownSecret = 'correct-horse-battery'

  test("in the prompt or the model's text are removed from title, body and commit", () => {
    const split = `${token.slice(0, 12)}\u200B${token.slice(12)}`
    for (const secret of [token, split, knownSecret]) {
      const text = buildTexts(
        buildInput({
          prompt: `Document ${secret}`,
          title: null,
          body: `Used ${secret}.`,
          flags: [secret],
          knownSecrets: [knownSecret],
        }),
      )
      for (const part of [text.title, text.body, text.commitMessage]) {
        expect(part).not.toContain(token.slice(12))
        expect(part).not.toContain(knownSecret)
        expect(part).toContain('[redacted')
      }
      expect(buildTexts(buildInput({ requestedTitle: secret, knownSecrets: [knownSecret] })).title).toBe('[redacted]')
    }
  })

  test('are removed before text is shortened, so that no part of a secret remains', () => {
    for (let at = 8_960; at <= 9_000; at += 1) {
      const { body } = buildTexts(buildInput({ prompt: `${'x'.repeat(at)}:${token}` }))
      expect(body).not.toContain('ghp_')
    }
  })
})

describe('title', () => {
  const titleOf = (some: Partial<PullRequestTextInput>) => buildTexts(buildInput(some)).title

  test("is the caller's title, the model's title or the start of the prompt, in that order", () => {
    expect(titleOf({ requestedTitle: 'docs(cli): `--json`' })).toBe('docs(cli): `--json`')
    expect(titleOf({})).toBe('Document the --json flag')
    expect(titleOf({ title: ' \n' })).toBe('Document the new `--json` flag')
    expect(titleOf({ title: null, prompt: '\n  # Fix the **intro**.\nmore' })).toBe('Fix the **intro**')
    expect(titleOf({ title: '...', prompt: '\u200B??\n' })).toBe('Update the documentation')
  })

  test("has one line of at most 72 characters, or 256 for a caller's title", () => {
    expect(titleOf({ title: 'one\ntwo\u2028three\tfour' })).toBe('one two three four')
    expect(titleOf({ title: `${'word '.repeat(30)}` })).toBe(`${'word '.repeat(14).trim()}…`)
    expect(titleOf({ title: '\u{1F600}'.repeat(100) }).isWellFormed()).toBe(true)
    expect(titleOf({ requestedTitle: 'x'.repeat(300) })).toHaveLength(256)
  })

  test('from a caller mentions no user, closes no issue and contains no CI command', () => {
    const { title, commitMessage } = buildTexts(
      buildInput({ requestedTitle: '[skip ci] closes #1 cc @octocat fixes acme/secret#2' }),
    )
    expect(title).toBe('skip ci closes # 1 cc @ octocat fixes acme/secret# 2')
    expect(commitMessage.split('\n')[0]).toBe(title)
  })

  test('from the model mentions no user, closes no issue and contains no CI command', () => {
    expect(titleOf({ title: 'Fixes #12 and GH-3 for @octocat [skip ci] ***NO_CI***' })).toBe(
      'Fixes # 12 and GH 3 for @ octocat skip ci NO_CI',
    )
    expect(titleOf({ title: 'Closes https://github.com/acme/docs/issues/1' })).toBe(
      'Closes github.com/acme/docs/issues/1',
    )
  })
})

describe('commit message', () => {
  test('contains the title, the first paragraph and the job id', () => {
    expect(buildTexts(buildInput()).commitMessage).toBe(
      'Document the --json flag\n\nAdded a section about `--json`.\n\nCorrigenda-Job: job_01',
    )
    expect(buildTexts(buildInput({ body: '' })).commitMessage).toBe(
      'Document the --json flag\n\nCorrigenda-Job: job_01',
    )
  })

  test('has only the Corrigenda-Job trailer, no references and lines of at most 72 characters', () => {
    const body = `Co-authored-by: Eve <eve@evil.test>\nCorrigenda-Job: job_99\nskip-checks: true\nFixes #12 ${'word '.repeat(200)}`
    const { commitMessage } = buildTexts(buildInput({ body }))
    const paragraphs = commitMessage.split('\n\n')
    expect(paragraphs).toHaveLength(3)
    expect(paragraphs.at(-1)).toBe('Corrigenda-Job: job_01')
    expect(commitMessage.match(/^[A-Za-z-]+: /gm)).toEqual(['Co-authored-by: ', 'Corrigenda-Job: '])
    expect(commitMessage).not.toMatch(/#\d|skip-checks:/)
    expect(Math.max(...commitMessage.split('\n').map((line) => line.length))).toBeLessThanOrEqual(72)
  })
})
