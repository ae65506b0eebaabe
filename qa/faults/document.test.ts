import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ALL_ROWS } from './test-support/all-rows.ts'
import { listFailureCodes } from './test-support/list-failure-codes.ts'

const text = readFileSync(new URL('../../docs/failures.md', import.meta.url), 'utf8')
const [faults = '', codes = ''] = text.split('\n## Failure codes\n')

/** Returns the cells of all table rows that begin with a name in code. */
function readRows(part: string): string[][] {
  const lines = part.split('\n').filter((line) => /^\| `/.test(line))
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const nameOf = (cells: readonly string[]) => (cells[0] ?? '').replaceAll('`', '')

describe('docs/failures.md', () => {
  test('has every row of the suite and no other, each once', () => {
    expect(readRows(faults).map(nameOf).sort()).toEqual(ALL_ROWS.map(({ id }) => id).sort())
  })

  test.each(ALL_ROWS.map((row) => [row.id, row] as const))('tells how a job ends: %s', (id, row) => {
    const cells = readRows(faults).find((one) => nameOf(one) === id) ?? []
    const { status, outcome, code } = row.expect
    expect(cells[3]).toBe(code === null ? `${status}, ${outcome}` : `${status}, \`${code}\``)
    expect(cells).toHaveLength(5)
  })

  test('has every failure code a job can end with and no other, each once', () => {
    expect(readRows(codes).map(nameOf).sort()).toEqual(listFailureCodes())
  })

  test('names in its rows only codes that it explains', () => {
    const known = new Set(readRows(codes).map(nameOf))
    for (const row of ALL_ROWS) if (row.expect.code !== null) expect(known).toContain(row.expect.code)
  })
})
