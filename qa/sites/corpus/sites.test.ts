import { expect, it } from 'vitest'
import { readSites } from './read-sites.ts'

const SITES = readSites()

it('pins every release by a hash', () => {
  expect(new Set(SITES.map(({ id }) => id)).size).toBe(SITES.length)
  expect(SITES.length).toBeGreaterThanOrEqual(29)
  for (const { source, releases } of SITES) {
    expect(releases.length).toBeGreaterThan(0)
    const form = source === 'npm' ? /^sha512-[\w+/]{86}==$/ : /^sha256-[0-9a-f]{64}$/
    for (const { hash } of releases) expect(hash).toMatch(form)
  }
})

it('uses only npm packages in the short form, which must not need Debian', () => {
  const small = SITES.filter(({ isSmall }) => isSmall === true)
  expect(small.length).toBeGreaterThanOrEqual(2)
  expect(small.every(({ source }) => source === 'npm')).toBe(true)
})
