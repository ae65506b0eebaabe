import { expect, test } from 'vitest'
import { toSources } from './ensure-demo-project.ts'

const names = (urls: string[], existing: Parameters<typeof toSources>[1] = []) =>
  toSources(urls, existing).map(({ name }) => name)

test('names a source after its repository', () => {
  expect(toSources(['https://github.com/Acme/My_App.js.git'], [])).toEqual([
    expect.objectContaining({ name: 'my-app-js', repository: 'https://github.com/Acme/My_App.js', ref: null }),
  ])
})

test('names a source after its owner and repository if the name is reserved or taken', () => {
  expect(names(['https://github.com/acme/docs'])).toEqual(['acme-docs'])
  expect(names(['https://github.com/acme/api', 'https://github.com/beta/api'])).toEqual(['api', 'beta-api'])
  const existing = [{ name: 'api', repository: 'https://github.com/other/api' }]
  expect(names(['https://github.com/acme/api'], existing)).toEqual(['acme-api'])
})

test('skips repositories that are sources already, also by another name', () => {
  const existing = [{ name: 'product', repository: 'https://github.com/acme/api' }]
  expect(names(['https://github.com/acme/api', 'https://github.com/acme/api.git'], existing)).toEqual([])
  expect(names(['https://github.com/acme/cli', 'https://github.com/acme/cli/'])).toEqual(['cli'])
})

test('reports a source without a free name', () => {
  const existing = ['api', 'acme-api'].map((name) => ({ name, repository: `https://github.com/x/${name}` }))
  expect(() => toSources(['https://github.com/acme/api'], existing)).toThrow(/acme\/api has no free name/)
  expect(() => toSources(['https://github.com/acme/api?x'], [])).toThrow(/without \? or #/)
})
