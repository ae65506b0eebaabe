import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Settings as ApiSettings } from '../../apps/api/src/http/settings.ts'
import { Settings as WorkerSettings } from '../../apps/worker/src/config/settings.ts'
import { ConfigError, readEnv } from '../../packages/core/src/runtime/index.ts'
import { listSettings } from './list-settings.ts'
import { renderDocument, renderExample } from './render-settings.ts'
import { SETTING_TEXTS } from './texts.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const settings = listSettings(read('docker-compose.yml'))

test('every setting has a text in one section, and every section is in the documentation', () => {
  const texts = Object.values(SETTING_TEXTS).flatMap((section) => Object.keys(section))
  expect(texts.sort()).toEqual([...settings.keys()].sort())
  const sections = [...read('docs/configuration.md').matchAll(/<!-- settings: (.+) -->/g)].map(([, title]) => title)
  expect(sections).toEqual(Object.keys(SETTING_TEXTS))
})

test('docs/configuration.md matches the schemas (if not, run "pnpm settings")', async () => {
  const document = renderDocument(read('docs/configuration.md'), settings)
  await expect(document).toMatchFileSnapshot(path.join(root, 'docs/configuration.md'))
})

test('.env.example matches the schemas (if not, run "pnpm settings")', async () => {
  await expect(renderExample(settings)).toMatchFileSnapshot(path.join(root, '.env.example'))
})

test('an error about a number names the allowed range', () => {
  const numbers = [...settings.values()].filter(({ values }) => values !== null && !Array.isArray(values))
  expect(numbers.length).toBeGreaterThan(25)
  for (const schema of [ApiSettings, WorkerSettings]) {
    for (const { name, values } of numbers.filter(({ name }) => Object.hasOwn(schema.shape, name))) {
      const { min, above, max } = values as { min?: number; above?: number; max?: number }
      const bounds = [min, above, max].filter((one) => one !== undefined).map((one) => one.toLocaleString('en-US'))
      for (const value of ['x', '1.5.2', '-5', ...(max === undefined ? [] : [String(max + 1)])]) {
        const error = readError(() => readEnv(schema, { [name]: value }))
        const line = error.message.split('\n').find((one) => one.includes(`${name}:`)) ?? ''
        for (const bound of bounds) expect(line, `${name}=${value}`).toContain(bound)
      }
    }
  }
})

function readError(work: () => unknown): Error {
  try {
    work()
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return error as Error
  }
  throw new Error('The settings were accepted.')
}
