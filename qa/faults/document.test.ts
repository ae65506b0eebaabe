import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { FAILURE_CODES } from '@corrigenda/contracts'
import { describe, expect, test } from 'vitest'
import { AREAS } from './test-support/fault-row.ts'
import { CODE_AREAS, updateDocument } from './test-support/update-document.ts'

const root = path.resolve(import.meta.dirname, '../..')
const file = path.join(root, 'docs/failures.md')
/** Folders with code that ends jobs or sets failure codes. */
const FOLDERS = ['apps/worker/src', 'packages/agent/src/loop', 'packages/core/src/runs', 'packages/git/src/commit']

function readSources(folder: string): string[] {
  const names = readdirSync(folder, { encoding: 'utf8', recursive: true })
  const sources = names.filter((name) => name.endsWith('.ts') && !/\.test\.ts$|test-support/.test(name))
  return sources.map((name) => readFileSync(path.join(folder, name), 'utf8'))
}

describe('docs/failures.md', () => {
  test('matches the fault tables (to update it, run "pnpm qa failures --update")', async () => {
    await expect(updateDocument(readFileSync(file, 'utf8'))).toMatchFileSnapshot(file)
  })

  test('has unique row ids', () => {
    const ids = AREAS.flatMap(({ rows }) => rows.map(({ id }) => id))
    expect(ids.filter((id, n) => ids.indexOf(id) !== n)).toEqual([])
  })

  test('explains every failure code, and only those that the product uses (qa/faults/codes.yaml)', () => {
    const codes: string[] = Object.keys(FAILURE_CODES)
    const explained = CODE_AREAS.flatMap((area) => Object.keys(area.codes))
    expect(explained.toSorted()).toEqual(codes.toSorted())
    const known = [...codes, null]
    expect(AREAS.flatMap(({ rows }) => rows).filter(({ expect: { code } }) => !known.includes(code))).toEqual([])
    const sources = FOLDERS.flatMap((folder) => readSources(path.join(root, folder))).join('\n')
    // The worker adds the prefix `pull_request_` to the codes of rejected pull requests.
    const isUsed = (code: string) =>
      [code, code.replace(/^pull_request_/, '')].some((name) => sources.includes(`'${name}'`))
    expect(codes.filter((code) => !isUsed(code))).toEqual([])
  })
})
