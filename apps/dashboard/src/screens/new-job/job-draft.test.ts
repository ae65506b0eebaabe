import { SUGGESTED_PROMPTS } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { addPrompt, EMPTY_DRAFT, readJobDraft, toDraft, toRequest } from './job-draft.ts'

test('reads a stored draft of any version', () => {
  const draft = { ...EMPTY_DRAFT, prompt: 'Fix it', draft: true, sources: [{ name: 'code', at: '' }] }
  expect(readJobDraft(JSON.parse(JSON.stringify(draft)))).toEqual(draft)
  for (const stored of [null, 'text', 3]) expect(readJobDraft(stored)).toBe(null)
  const strange = { prompt: 3, draft: 'yes', sources: [{ name: 'code' }], removed: 1, title: 'T' }
  expect(readJobDraft(strange)).toEqual({ ...EMPTY_DRAFT, title: 'T' })
})

test('fills the form with a request, which it sends again without the defaults of the project', () => {
  const project = { baseBranch: 'main', model: 'm-1' }
  const request = {
    prompt: 'Fix it',
    draft: false,
    branch: 'docs/x',
    title: 'T',
    labels: ['a', 'b'],
    metadata: { team: 'docs' },
    sources: [{ name: 'api', pullRequest: 42 }, { name: 'code', since: 'v1.2', ref: 'main' }, { name: 'web' }],
  }
  expect(toRequest(toDraft({ ...request, model: 'm-1', ref: 'main' }, project))).toEqual(request)
  expect(toRequest(toDraft({ ...request, model: 'm-2', ref: 'next' }, project))).toEqual({
    ...request,
    model: 'm-2',
    ref: 'next',
  })
  // No sources at all, and all of them, are different requests.
  for (const sources of [[], undefined]) {
    expect(toRequest(toDraft({ prompt: 'x', ...(sources && { sources }) }, project)).sources).toEqual(sources)
  }
})

test('an example does not replace what the user has typed', () => {
  const [first = '', second = ''] = SUGGESTED_PROMPTS.map(({ prompt }) => prompt)
  expect(addPrompt(' ', first)).toBe(first)
  expect(addPrompt(first, second)).toBe(second)
  expect(addPrompt('Fix this.\n', first)).toBe(`Fix this.\n\n${first}`)
  expect(addPrompt(`${first} And more.`, second)).toBe(`${first} And more.\n\n${second}`)
})
