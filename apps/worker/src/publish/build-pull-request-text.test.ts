import { findLive, renderGitHub } from '@corrigenda/git/internal/test-support/render-github'
import { describe, expect, test } from 'vitest'
import type { PullRequestTextInput } from './build-pull-request-text.ts'
import { buildPullRequestText } from './build-pull-request-text.ts'

const JOB_URL = 'https://corrigenda.test/jobs/job_01'

function buildInput(some: Partial<PullRequestTextInput> = {}): PullRequestTextInput {
  return {
    jobId: 'job_01',
    jobUrl: JOB_URL,
    prompt: 'Document the new `--json` flag',
    requestedTitle: null,
    titlePattern: null,
    date: '2026-11-21',
    title: 'Document the --json flag',
    body: 'Added a section about `--json`.\n\n- in the reference',
    changes: [{ path: 'docs/cli.md', kind: 'modified', added: 12, removed: 1 }],
    checks: [
      { name: 'links', status: 'passed', introduced: 0, preexisting: 3, findings: [] },
      {
        name: 'syntax',
        status: 'failed',
        introduced: 1,
        preexisting: 0,
        findings: [{ file: 'docs/cli.md', line: 7, message: 'unclosed <Card>' }],
      },
    ],
    flags: ['docs/cli.md shows a new image from https://images.test/a.png'],
    instructionsUsed: ['AGENTS.md'],
    model: 'claude-opus-5',
    isRehearsal: false,
    usage: { inputTokens: 1000, outputTokens: 200, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0.1234, turns: 4 },
    knownSecrets: [],
    ...some,
  }
}

describe('body', () => {
  test('says what was asked, what was changed, how the checks went, and where the job is', () => {
    const { body } = buildPullRequestText(buildInput())
    expect(body).toBe(`## What was asked

> Document the new \`--json\` flag

## What was changed and why

Added a section about \`--json\`.

- in the reference

## Files

| File | Change | Lines |
| --- | --- | --- |
| \`docs/cli.md\` | modified | +12 −1 |

## Checks

| Check | Result | New faults | Old faults |
| --- | --- | --- | --- |
| links | passed | 0 | 3 |
| syntax | failed | 1 | 0 |

- \`docs/cli.md:7\` unclosed &lt;Card&gt;

## Please look at these

- docs/cli.md shows a new image from \`https://images.test/a.png\`

---

Instructions followed: \`AGENTS.md\`

Written by \`claude-opus-5\` (4 turns, 1200 tokens, 0.12 USD). Please review it as you would any change.

Corrigenda job [\`job_01\`](${JOB_URL})
`)
  })

  test('says so when no AI was used', () => {
    const { body } = buildPullRequestText(buildInput({ isRehearsal: true }))
    expect(body).toContain('\nWritten by the rehearsal model: no AI was used.\n')
    expect(body).not.toContain('claude')
  })

  test('names the job without a link when there is no public address, or not a web one', () => {
    for (const jobUrl of [null, 'javascript:alert(1)', 'nowhere']) {
      const { body } = buildPullRequestText(buildInput({ jobUrl }))
      expect(body).toContain('Corrigenda job `job_01`\n')
      expect(renderGitHub(body).links).toEqual([])
    }
    const { body } = buildPullRequestText(buildInput({ jobUrl: 'https://c.test/a)b](x' }))
    expect(renderGitHub(body).links).toEqual(['https://c.test/a%29b%5D%28x'])
  })

  test('keeps within the limit whatever the address of the job', () => {
    const { body } = buildPullRequestText(buildInput({ jobUrl: `https://c.test/${'x'.repeat(70_000)}` }))
    expect(body.length).toBeLessThanOrEqual(60_000)
    expect(renderGitHub(body).active).toEqual([])
  })

  test('leaves out what there is nothing to say about', () => {
    const { body } = buildPullRequestText(
      buildInput({ body: ' \n', changes: [], checks: [], flags: [], instructionsUsed: [] }),
    )
    expect(body.match(/^## .*/gm)).toEqual(['## What was asked'])
    expect(body).not.toContain('Instructions')
  })

  test("contains nobody's words as live Markdown, wherever they come in", () => {
    const hostile =
      '</details><script>x</script> ![p](https://evil.test/p) [c](javascript:x) @octocat Fixes #12\n```\n~~~\n# big\n| a |\n|---|\n<!--'
    const { body } = buildPullRequestText(
      buildInput({
        prompt: hostile,
        body: hostile,
        changes: [{ path: hostile, kind: 'added', added: 1, removed: 0 }],
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

  test.each(['word ', '<', '@a ', '- x\n'])('stays within the limit for a mass of %j', (unit) => {
    const mass = unit.repeat(Math.ceil(100_000 / unit.length)).slice(0, 100_000)
    const long = mass.slice(0, 1000)
    const { title, body, commitMessage } = buildPullRequestText(
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

  test('in a prompt or in the words of the model reach neither title, body nor commit', () => {
    const split = `${token.slice(0, 12)}\u200B${token.slice(12)}`
    for (const secret of [token, split, knownSecret]) {
      const text = buildPullRequestText(
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
      expect(buildPullRequestText(buildInput({ requestedTitle: secret, knownSecrets: [knownSecret] })).title).toBe(
        '[redacted]',
      )
    }
  })

  test('are removed before a text is shortened, so that no half of one is left', () => {
    for (let at = 8_960; at <= 9_000; at += 1) {
      const { body } = buildPullRequestText(buildInput({ prompt: `${'x'.repeat(at)}:${token}` }))
      expect(body).not.toContain('ghp_')
    }
  })
})

describe('title', () => {
  const titleOf = (some: Partial<PullRequestTextInput>) => buildPullRequestText(buildInput(some)).title

  test("is the caller's own, word for word, else the model's, else taken from the prompt", () => {
    expect(titleOf({ requestedTitle: 'docs: `--json` (#12)' })).toBe('docs: `--json` (#12)')
    expect(titleOf({})).toBe('Document the --json flag')
    expect(titleOf({ title: ' \n' })).toBe('Document the new `--json` flag')
    expect(titleOf({ title: null, prompt: '\n  # Fix the **intro**.\nmore' })).toBe('Fix the **intro**')
    expect(titleOf({ title: '...', prompt: '\u200B??\n' })).toBe('Update the documentation')
  })

  test('is one line of at most 72 characters, the caller’s of at most 256', () => {
    expect(titleOf({ title: 'one\ntwo\u2028three\tfour' })).toBe('one two three four')
    expect(titleOf({ title: `${'word '.repeat(30)}` })).toBe(`${'word '.repeat(14).trim()}…`)
    expect(titleOf({ title: '\u{1F600}'.repeat(100) }).isWellFormed()).toBe(true)
    expect(titleOf({ requestedTitle: 'x'.repeat(300) })).toHaveLength(256)
  })

  test('of the model pings nobody, closes nothing and gives CI no orders', () => {
    expect(titleOf({ title: 'Fixes #12 and GH-3 for @octocat [skip ci] ***NO_CI***' })).toBe(
      'Fixes # 12 and GH 3 for @ octocat skip ci NO_CI',
    )
    expect(titleOf({ title: 'Closes https://github.com/acme/docs/issues/1' })).toBe(
      'Closes github.com/acme/docs/issues/1',
    )
  })
})

describe('commit message', () => {
  test('is the title, the first paragraph and the job', () => {
    expect(buildPullRequestText(buildInput()).commitMessage).toBe(
      'Document the --json flag\n\nAdded a section about `--json`.\n\nCorrigenda-Job: job_01',
    )
    expect(buildPullRequestText(buildInput({ body: '' })).commitMessage).toBe(
      'Document the --json flag\n\nCorrigenda-Job: job_01',
    )
  })

  test('has no trailers but ours, no references, and lines that fit', () => {
    const body = `Co-authored-by: Eve <eve@evil.test>\nCorrigenda-Job: job_99\nskip-checks: true\nFixes #12 ${'word '.repeat(200)}`
    const { commitMessage } = buildPullRequestText(buildInput({ body }))
    const paragraphs = commitMessage.split('\n\n')
    expect(paragraphs).toHaveLength(3)
    expect(paragraphs.at(-1)).toBe('Corrigenda-Job: job_01')
    expect(commitMessage.match(/^[A-Za-z-]+: /gm)).toEqual(['Co-authored-by: ', 'Corrigenda-Job: '])
    expect(commitMessage).not.toMatch(/#\d|skip-checks:/)
    expect(Math.max(...commitMessage.split('\n').map((line) => line.length))).toBeLessThanOrEqual(72)
  })
})
