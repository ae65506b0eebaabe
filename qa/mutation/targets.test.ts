import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../..')
const targets: { file: string; tests: string[] }[] = parse(
  readFileSync(join(import.meta.dirname, 'targets.yaml'), 'utf8'),
)

test('lists each file once, with files and tests that exist', () => {
  expect(new Set(targets.map(({ file }) => file)).size).toBe(15)
  expect(targets.flatMap(({ file, tests }) => [file, ...tests]).filter((one) => !existsSync(join(root, one)))).toEqual(
    [],
  )
  expect(targets.filter(({ tests }) => tests.length === 0)).toEqual([])
})
