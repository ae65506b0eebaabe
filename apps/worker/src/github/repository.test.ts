import { describe, expect, test } from 'vitest'
import { toApiUrl, toRepository } from './repository.ts'

describe('toRepository', () => {
  test.each([
    ['https://github.com/acme/docs', 'github.com', 'https://github.com/acme/docs'],
    ['https://github.com/acme/docs.git', 'github.com', 'https://github.com/acme/docs'],
    ['https://git.acme.test:8443/acme/docs/', 'git.acme.test:8443', 'https://git.acme.test:8443/acme/docs'],
    ['http://127.0.0.1:4000/acme/docs', '127.0.0.1:4000', 'http://127.0.0.1:4000/acme/docs'],
    ['http://[::1]:4000/acme/docs', '[::1]:4000', 'http://[::1]:4000/acme/docs'],
  ])('takes %s apart', (address, host, url) => {
    expect(toRepository(address)).toEqual({ host, origin: new URL(url).origin, owner: 'acme', name: 'docs', url })
  })

  test.each([
    'http://github.com/acme/docs',
    'ssh://git@github.com/acme/docs',
    'https://user:secret@github.com/acme/docs',
    'https://github.com/acme',
    'https://github.com/acme/docs/tree/main',
    'https://github.com/acme/docs?x=1',
    'https://github.com/acme/docs#x',
    'https://github.com/acme/..',
    'https://github.com/acme/.git',
    'https://github.com/ac%2Fme/docs',
    'acme/docs',
    '',
  ])('refuses %j without repeating it', (address) => {
    expect(() => toRepository(address)).toThrow(RangeError)
    expect(() => toRepository(address)).not.toThrow(/secret/)
  })
})

describe('toApiUrl', () => {
  test('knows where the API is, and lets a configured address win', () => {
    const of = (address: string) => toApiUrl(toRepository(address), null)
    expect(of('https://github.com/acme/docs')).toBe('https://api.github.com')
    expect(of('https://octo.ghe.com/acme/docs')).toBe('https://api.octo.ghe.com')
    expect(of('https://git.acme.test:8443/acme/docs')).toBe('https://git.acme.test:8443/api/v3')
    expect(of('http://127.0.0.1:4000/acme/docs')).toBe('http://127.0.0.1:4000/api/v3')
    expect(toApiUrl(toRepository('https://github.com/acme/docs'), 'https://api.test/v3//')).toBe('https://api.test/v3')
  })
})
