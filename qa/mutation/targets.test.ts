import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { TARGETS } from './targets.ts'

const root = path.resolve(import.meta.dirname, '../..')

test.each(TARGETS)('$file and its tests exist', ({ file, tests }) => {
  expect(tests.length).toBeGreaterThan(0)
  expect([file, ...tests].filter((one) => !existsSync(path.join(root, one)))).toEqual([])
})

test('lists each file once', () => {
  const files = TARGETS.map(({ file }) => file)
  expect(new Set(files).size).toBe(files.length)
})
