import { expect, test } from 'vitest'
import { toEvidenceFlags } from './to-evidence-flags.ts'

const cite = (source: string) => ({ page: 'a.md', source, path: 'b.md', fromLine: 1, toLine: 1, note: '' })

test('flags a change without evidence from the sources that the run read', () => {
  const flag = [expect.stringContaining('gave no evidence')]
  expect(toEvidenceFlags({ evidence: [], sourcesRead: [] })).toEqual([])
  expect(toEvidenceFlags({ evidence: [cite('docs')], sourcesRead: [] })).toEqual([])
  expect(toEvidenceFlags({ evidence: [], sourcesRead: ['api'] })).toEqual(flag)
  expect(toEvidenceFlags({ evidence: [cite('docs')], sourcesRead: ['api'] })).toEqual(flag)
  expect(toEvidenceFlags({ evidence: [cite('docs'), cite('api')], sourcesRead: ['api'] })).toEqual([])
})
