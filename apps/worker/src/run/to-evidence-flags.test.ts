import type { RunSource } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { toEvidenceFlags, toSourceFlags } from './describe-change.ts'

const cite = (source: string) => ({ page: 'a.md', source, path: 'b.md', fromLine: 1, toLine: 1, note: '' })

test('flags a change without evidence from the sources that the run read', () => {
  const flag = [expect.stringContaining('gave no evidence')]
  expect(toEvidenceFlags({ evidence: [], sourcesRead: [] })).toEqual([])
  expect(toEvidenceFlags({ evidence: [cite('docs')], sourcesRead: [] })).toEqual([])
  expect(toEvidenceFlags({ evidence: [], sourcesRead: ['api'] })).toEqual(flag)
  expect(toEvidenceFlags({ evidence: [cite('docs')], sourcesRead: ['api'] })).toEqual(flag)
  expect(toEvidenceFlags({ evidence: [cite('docs'), cite('api')], sourcesRead: ['api'] })).toEqual([])
})

test('a note on the commit of a source is listed as the source may be cited', () => {
  const source: RunSource = {
    name: 'api',
    repository: 'https://github.com/acme/api',
    ref: null,
    commit: 'a'.repeat(40),
    baseCommit: null,
    visibility: 'private',
    cite: 'names',
    paths: [],
    quotable: [],
  }
  const note = 'Head of pull request 12, from the fork mallory/api.'
  expect(toSourceFlags([source])).toEqual([])
  expect(toSourceFlags([{ ...source, note }])).toEqual([`Source api: ${note}`])
  expect(toSourceFlags([{ ...source, note, cite: 'none' }])).toEqual(['The job has a note on the commit of a source.'])
})
