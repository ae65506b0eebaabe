import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import type { Check } from '../reading/check.ts'
import { ALL_CHECKS } from './all-checks.ts'
import { toResult } from './to-results.ts'

const DOCS = new URL('../../../../docs/checks.md', import.meta.url)

it('has the checks and issues of docs/checks.md', async () => {
  const [, list = ''] = (await readFile(DOCS, 'utf8')).split(/^## Issues by check$|^## Blocking issues$/m)
  const sections = list.split(/^### /m).slice(1)
  const documented = sections.flatMap((section) => {
    const name = /^`(\w+)`\n/.exec(section)?.[1]
    if (name === undefined || name === 'unread') return []
    const issues = [...section.matchAll(/^- (`[\s\S]+?`)\s\((block|advisory)/gm)].flatMap(([, codes = '', severity]) =>
      [...codes.matchAll(/\w+/g)].map(([code]) => [code, severity]),
    )
    return [[name, Object.fromEntries(issues)]]
  })
  const toWord = (severity: unknown) => (severity === 'advisory' ? 'advisory' : 'block')
  const toIssues = ({ issues }: Check) =>
    Object.fromEntries(Object.entries(issues).map(([code, severity]) => [code, toWord(severity)]))
  expect(Object.fromEntries(documented)).toEqual(
    Object.fromEntries(ALL_CHECKS.map((check) => [check.name, toIssues(check)])),
  )
})

it('has each issue in one check', () => {
  const codes = ALL_CHECKS.flatMap(({ issues }) => Object.keys(issues))
  expect(codes).toEqual([...new Set(codes)])
})

it('does not report an issue that the check does not list', async () => {
  const problem = { code: 'other', path: 'a.md', line: 1, subject: '', message: 'Other.' }
  const input = { check: ALL_CHECKS[0], found: { before: [], after: [problem] }, unjudged: null, scope: 'changed' }
  const state = { now: { sites: [] }, summary: { findUnreliable: async () => null }, renames: new Map() }
  const result = toResult({ ...input, ...state } as unknown as Parameters<typeof toResult>[0])
  await expect(result).rejects.toThrow('does not list other')
})
