import type { CodeKind } from '@corrigenda/contracts'
import { describe, expect, it } from 'vitest'
import { listAddedCode } from '../policy/code-violations.ts'
import { buildToolHarness } from '../test-support/build-tool-harness.ts'
import { FINISH, NOT_FINISHED, toFinishMark } from './finish-state.ts'

const files = { 'a.mdx': '# A\n\ntext\n', 'b.mdx': '# B\n' }
const edit = ['edit', { path: 'a.mdx', old_str: 'text', new_str: 'new text' }] as const
const broken = ['edit', { path: 'a.mdx', old_str: 'text', new_str: '<Note>' }] as const
const changed = { outcome: 'changed', title: 'Add details', body: 'Done.' }
const reviewed = { finish: { ...NOT_FINISHED, reviewed: 'changed' } } as const

it('rejects a change of a skill, and lists it for the reviewer if the project allows it', async () => {
  const files = {
    'skills/deploy/SKILL.md': 'Read steps.md.\n',
    'skills/deploy/ref/steps.md': '# Steps\n',
    'skills/a.md': '# A\n',
  }
  const run = async (path: string, allowedCode: CodeKind[] = []) => {
    const { call, workspace } = buildToolHarness(files, { allowedCode })
    await call('insert', { path, insert_line: 1, insert_text: 'More.' })
    return { text: (await call('finish', changed)).text, code: await listAddedCode(workspace) }
  }
  expect((await run('skills/deploy/ref/steps.md')).text).toContain('is part of a skill')
  expect((await run('skills/a.md')).text).not.toContain('skill.')
  const allowed = await run('skills/deploy/ref/steps.md', ['agent-instructions'])
  expect(allowed.text).not.toContain('is part of a skill')
  expect(allowed.code).toEqual([{ kind: 'agent-instructions', path: 'skills/deploy/ref/steps.md', line: 1 }])
})

describe('finish with changed', () => {
  it('returns a review first and accepts the confirmation', async () => {
    const harness = buildToolHarness(files)
    await harness.call(...edit)
    const first = await harness.call('finish', changed)
    expect(toFinishMark(first.text)).toBe('review')
    expect(first.text).toContain('modified a.mdx (+1 -1)')
    expect(first.text).toContain('call finish again with the same values')
    expect(await harness.call('finish', changed, reviewed)).toEqual({ text: FINISH.accepted, isError: false })
  })

  it('accepts the first call on the last turn', async () => {
    const harness = buildToolHarness(files)
    await harness.call(...edit)
    expect((await harness.call('finish', changed, { lastTurn: true })).text).toBe(FINISH.accepted)
  })

  it('requires a new review for a different outcome', async () => {
    const harness = buildToolHarness(files)
    await harness.call(...edit)
    const { text } = await harness.call('finish', { outcome: 'impossible', reason: 'no' }, reviewed)
    expect(toFinishMark(text)).toBe('review')
  })

  it.each<[name: string, title: string | null, text: RegExp]>([
    ['a long title', 'x'.repeat(80), /The title has 80 characters; at most 72/],
    ['a missing title', null, /No title was given/],
  ])('mentions %s in the review', async (_, title, expected) => {
    const harness = buildToolHarness(files)
    await harness.call(...edit)
    expect((await harness.call('finish', { ...changed, title })).text).toMatch(expected)
  })

  it.each<[name: string, input: object, text: RegExp]>([
    ['a two-line title', { ...changed, title: 'a\nb' }, /must be one line/],
    ['a title of more than 200 characters', { ...changed, title: 'x'.repeat(201) }, /at most 200/],
    ['an unknown outcome', { outcome: 'done' }, /invalid input.*outcome/],
  ])('rejects %s', async (_, input, expected) => {
    const harness = buildToolHarness(files)
    await harness.call(...edit)
    expect(await harness.call('finish', input)).toEqual({ isError: true, text: expect.stringMatching(expected) })
  })

  it('rejects an empty diff', async () => {
    const harness = buildToolHarness(files)
    await harness.call(...edit)
    await harness.call('edit', { path: 'a.mdx', old_str: 'new text', new_str: 'text' })
    const { text, isError } = await harness.call('finish', changed, reviewed)
    expect(isError).toBe(true)
    expect(text).toMatch(/No file differs from the base/)
  })

  it('rejects a change that breaks a page, confirmed or not', async () => {
    const harness = buildToolHarness(files)
    await harness.call(...broken)
    for (const context of [{}, reviewed, { lastTurn: true }]) {
      const { text } = await harness.call('finish', changed, context)
      expect(toFinishMark(text)).toBe('problems')
      expect(text).toContain('a.mdx:3: [syntax]')
    }
  })

  it('rejects broken links, entries, images and navigation, and lists advice in the review', async () => {
    const harness = buildToolHarness({ ...files, 'docs.json': '{"navigation":{"pages":["a"]}}' })
    await harness.call('edit', { path: 'docs.json', old_str: '"a"', new_str: '"a", "none"' })
    await harness.call('create', { path: 'c.mdx', file_text: '[x](/nowhere) ![y](/y.png) [z](#gone)\n' })
    const dead = await harness.call('finish', changed)
    expect(toFinishMark(dead.text)).toBe('problems')
    for (const target of ['"none"', '"/nowhere"', '"/y.png"']) expect(dead.text).toContain(target)
    expect(dead.text).not.toMatch(/advice|gone/)
    await harness.call('edit', { path: 'c.mdx', old_str: '[x](/nowhere) ![y](/y.png) ', new_str: '' })
    await harness.call('edit', { path: 'docs.json', old_str: '"a", "none"', new_str: '"a"' })
    const noticed = await harness.call('finish', changed)
    expect(toFinishMark(noticed.text)).toBe('review')
    expect(noticed.text).toMatch(/c\.mdx:1: \[anchors, advice\] .*"gone"/)
    expect(noticed.text).toMatch(/c\.mdx: \[navigation, advice\] The page is missing from the navigation/)
    await harness.call('edit', { path: 'docs.json', old_str: '"a"]', new_str: '"a"' })
    const refused = await harness.call('finish', changed)
    expect(toFinishMark(refused.text)).toBe('problems')
    expect(refused.text).toContain('is not valid JSON')
  })

  it('rejects executable content, with its line', async () => {
    const harness = buildToolHarness(files)
    await harness.call('create', { path: 'c.mdx', file_text: '# C\n\n{process.env.TOKEN}\n' })
    const { text } = await harness.call('finish', changed, reviewed)
    expect(toFinishMark(text)).toBe('policy')
    expect(text).toContain('Line 3 of "c.mdx" adds an import, an export or an expression')
    const allowing = buildToolHarness(files, { allowedCode: ['mdx-code'] })
    await allowing.call('create', { path: 'c.mdx', file_text: '# C\n\n{process.env.TOKEN}\n' })
    expect(toFinishMark((await allowing.call('finish', changed)).text)).toBe('review')
  })

  it('rejects a change that violates the policy', async () => {
    const harness = buildToolHarness({ ...files, 'ci.yml': 'on: push\n' })
    await harness.workspace.write('ci.yml', new TextEncoder().encode('on: []\n'))
    const { text } = await harness.call('finish', changed, reviewed)
    expect(toFinishMark(text)).toBe('policy')
    expect(text).toContain('"ci.yml"')
  })

  it.each<[name: string, input: object]>([
    ['in a page', changed],
    ['in the title', { ...changed, title: 'Use correct-horse-battery' }],
    ['in the body', { ...changed, body: 'correct-horse-battery' }],
  ])('rejects a credential %s and does not repeat it', async (name, input) => {
    const harness = buildToolHarness(files)
    await harness.call(...edit)
    if (name === 'in a page') {
      await harness.call('edit', { path: 'a.mdx', old_str: 'new', new_str: 'correct-horse-battery' })
    }
    const { text } = await harness.call('finish', input, { ...reviewed, knownSecrets: ['correct-horse-battery'] })
    expect(toFinishMark(text)).toBe('policy')
    expect(text).not.toContain('correct-horse')
  })
})

describe('finish with other outcomes', () => {
  it('also requires confirmation', async () => {
    const harness = buildToolHarness(files)
    const input = { outcome: 'no_change', reason: 'The page already contains it.' }
    expect(toFinishMark((await harness.call('finish', input)).text)).toBe('review')
    const context = { finish: { ...NOT_FINISHED, reviewed: 'no_change' as const } }
    expect((await harness.call('finish', input, context)).text).toBe(FINISH.accepted)
  })

  it('rejects no_change with edits once, and discards the edits the second time', async () => {
    const harness = buildToolHarness(files)
    await harness.call(...edit)
    const input = { outcome: 'no_change', reason: 'The page already contains it.' }
    expect(toFinishMark((await harness.call('finish', input)).text)).toBe('edits')
    const again = { finish: { ...NOT_FINISHED, refused: { problems: 0, policy: 0, edits: 1, leak: 0 } } }
    const { text } = await harness.call('finish', input, again)
    expect(toFinishMark(text)).toBe('review')
    expect(text).toContain('Your edits to 1 file will be discarded')
  })

  it.each(['needs_input', 'impossible'])('requires a reason for %s', async (outcome) => {
    const harness = buildToolHarness(files)
    for (const reason of [undefined, null, '  ']) {
      const { text, isError } = await harness.call('finish', { outcome, reason })
      expect(isError).toBe(true)
      expect(text).toMatch(/needs a reason/)
    }
  })
})
