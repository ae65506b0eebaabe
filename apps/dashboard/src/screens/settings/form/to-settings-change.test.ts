import { DEFAULT_PROJECT_BUDGETS, DEFAULT_PROJECT_POLICY, UpdateProjectSettings } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { type SettingsEdits, type SettingsField, toEffectiveEdits, toSettingsDraft } from './settings-draft.ts'
import { toSettingsChange } from './to-settings-change.ts'

/** The settings of a new project. */
const SAVED = toSettingsDraft({
  name: 'Docs',
  repository: 'https://github.com/acme/docs',
  baseBranch: null,
  credential: { kind: 'environment' },
  budgets: DEFAULT_PROJECT_BUDGETS,
  policy: DEFAULT_PROJECT_POLICY,
  sources: [],
  sourceCredentials: [],
  deployTarget: null,
  deployOnMerge: false,
  deleteBranchOnClose: false,
  previewUrlTemplate: null,
  monthlySpend: { month: '2026-01', spentUsd: 0, budgetUsd: null, endsAt: '2026-02-01T00:00:00.000Z' },
  retention: { transcriptDays: null, jobDays: null },
  changedAt: null,
  changedBy: null,
})

function change(edits: SettingsEdits) {
  const effective = toEffectiveEdits(SAVED, edits)
  return toSettingsChange({ ...SAVED, ...effective }, Object.keys(effective) as SettingsField[])
}

test('has a field for every setting, except the sources, which have their own dialogs', () => {
  const result = toSettingsChange(SAVED, Object.keys(SAVED) as SettingsField[])
  const sent = 'change' in result ? result.change : {}
  const { sources: _, ...settings } = UpdateProjectSettings.shape
  expect(Object.keys(sent).sort()).toEqual(Object.keys(settings).sort())
  for (const [name, fields] of [
    ['policy', DEFAULT_PROJECT_POLICY],
    ['budgets', DEFAULT_PROJECT_BUDGETS],
  ] as const) {
    expect(Object.keys(sent[name] ?? {}).sort()).toEqual(Object.keys(fields).sort())
  }
})

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
