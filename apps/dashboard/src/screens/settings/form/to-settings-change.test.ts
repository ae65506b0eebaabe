import { expect, test } from 'vitest'
import { type SettingsDraft, type SettingsEdits, type SettingsField, toEffectiveEdits } from './settings-draft.ts'
import { toSettingsChange } from './to-settings-change.ts'

const texts = [
  'name',
  'repository',
  'baseBranch',
  'readable',
  'writable',
  'forbidden',
  'maxFiles',
  'maxLines',
  'localeList',
  'instructions',
  'model',
  'labels',
  'reviewers',
  'branchPrefix',
  'titlePattern',
  'requestedBranchPrefixes',
  'maxOpenPullRequests',
  'maxTurns',
  'maxCostUsd',
  'maxSeconds',
  'maxInputTokens',
  'maxOutputTokens',
  'monthlyBudgetUsd',
  'transcriptDays',
  'jobDays',
  'hookUrl',
  'workflow',
  'workflowRef',
  'inputs',
  'eventType',
  'payload',
  'previewUrl',
]
const flags = [
  'draft',
  'signOff',
  'coAuthoredBy',
  'codeownersReviewers',
  'dedupe',
  'deployOnMerge',
  'deleteBranchOnClose',
]
const SAVED = {
  ...Object.fromEntries(texts.map((name) => [name, ''])),
  ...Object.fromEntries(flags.map((name) => [name, false])),
  localeChoice: 'all',
  allowedCode: [],
  pullRequestDetails: 'full',
  questions: 'ask',
  deployKind: 'none',
  name: 'Docs',
} as unknown as SettingsDraft

function change(edits: SettingsEdits) {
  const effective = toEffectiveEdits(SAVED, edits)
  return toSettingsChange({ ...SAVED, ...effective }, Object.keys(effective) as SettingsField[])
}

test('sends only the edited fields, in their groups', () => {
  expect(change({})).toEqual({ change: {} })
  expect(
    change({
      name: 'Handbook',
      baseBranch: ' next ',
      writable: 'docs/**\n\n*.md',
      maxFiles: '7',
      maxTurns: '',
      draft: true,
      questions: 'fail',
    }),
  ).toEqual({
    change: {
      name: 'Handbook',
      baseBranch: 'next',
      policy: { writable: ['docs/**', '*.md'], maxFiles: 7, draft: true, questions: 'fail' },
    },
  })
  expect(change({ maxCostUsd: '0.5', jobDays: '30', localeChoice: 'some', localeList: 'de' })).toEqual({
    change: { budgets: { maxCostUsd: 0.5 }, retention: { jobDays: 30 }, policy: { locales: ['de'] } },
  })
})

test('ignores edits without an effect, in hidden fields, and of another type', () => {
  expect(change({ name: 'Docs', localeList: 'de', hookUrl: 'https://hooks.example.com', payload: '{' })).toEqual({
    change: {},
  })
  expect(change({ draft: 'yes', allowedCode: 'includes', unknown: 1 } as unknown as SettingsEdits)).toEqual({
    change: {},
  })
})

test('builds a deploy target from its fields, and reports syntax errors at the field', () => {
  expect(change({ deployKind: 'hook', hookUrl: ' https://hooks.example.com/x ' })).toEqual({
    change: { deployTarget: { kind: 'hook', url: 'https://hooks.example.com/x' } },
  })
  const workflow = { deployKind: 'workflow_dispatch', workflow: 'docs.yml' } as const
  expect(change({ ...workflow, inputs: 'SITE=docs' })).toEqual({
    change: { deployTarget: { kind: 'workflow_dispatch', workflow: 'docs.yml', inputs: { SITE: 'docs' } } },
  })
  expect(change({ ...workflow, inputs: 'SITE' })).toEqual({
    errors: { inputs: '"SITE" must have the form NAME=VALUE.' },
  })
  expect(change({ deployKind: 'repository_dispatch', eventType: 'x', payload: '{' })).toMatchObject({
    errors: { payload: 'The payload is not valid JSON.' },
  })
})

test("reports the service's rules at the field, with the line of a list", () => {
  expect(change({ titlePattern: 'no placeholder', maxTurns: '5' })).toMatchObject({
    errors: { titlePattern: expect.stringContaining('{title}') },
  })
  expect(change({ writable: 'docs/**\n/etc/**' })).toMatchObject({
    errors: { writable: expect.stringMatching(/^Line 2: ./) },
  })
  expect(change({ localeChoice: 'some', localeList: 'not a language!' })).toMatchObject({
    errors: { localeList: expect.stringMatching(/^Line 1: /) },
  })
  expect(change({ workflow: 'x', deployKind: 'hook', hookUrl: 'no url' })).toMatchObject({
    errors: { hookUrl: expect.any(String) },
  })
})
