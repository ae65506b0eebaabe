import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readSiteFixtures } from '@corrigenda/testkit'
import { describe, expect, it } from 'vitest'
import { plain } from '../frameworks/plain/plain.ts'
import { ALL_FRAMEWORKS } from './all-frameworks.ts'

const toPath = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const frameworks = toPath('../frameworks')
const names = ALL_FRAMEWORKS.map(({ name }) => name)

it('the list contains every framework folder', () => {
  const folders = readdirSync(frameworks, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.map(({ name }) => name).sort()).toEqual([...names, plain.name].sort())
})

it('every framework has a fixture site (packages/testkit/src/sites/read-site-fixtures.ts)', () => {
  expect(Object.keys(readSiteFixtures())).toEqual(expect.arrayContaining([...names, plain.name]))
})

describe('code outside a framework folder does not compare framework names', () => {
  // Matches a name as a whole string or as one alternative of a pattern.
  const literal = new RegExp(`['"\`(|](?:${names.join('|')})['"\`)|]`, 'i')

  it.each(['..', '../../../agent/src/policy'])('in %s', (folder) => {
    const files = readFiles(toPath(folder))
    expect(files.length).toBeGreaterThan(5)
    expect(files.flatMap(({ path, text }) => (literal.test(text) ? [path] : []))).toEqual([])
  })
})

/** Returns the product code below a folder, without comments and framework folders. */
function readFiles(folder: string) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .filter((path) => !names.some((name) => path.includes(`/frameworks/${name}/`)))
    .map((path) => ({ path, text: readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '') }))
}
