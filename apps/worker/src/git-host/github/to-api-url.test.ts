import { toRepositoryAddress } from '@corrigenda/contracts'
import { describe, expect, test } from 'vitest'
import { toApiUrl } from './build-api.ts'

describe('toApiUrl', () => {
  test('derives the API URL from the repository and prefers a configured URL', () => {
    const of = (address: string) => toApiUrl(toRepositoryAddress(address), { apiUrl: null })
    expect(of('https://github.com/acme/docs')).toBe('https://api.github.com')
    expect(of('https://octo.ghe.com/acme/docs')).toBe('https://api.octo.ghe.com')
    expect(of('https://git.acme.test:8443/acme/docs')).toBe('https://git.acme.test:8443/api/v3')
    expect(of('http://127.0.0.1:4000/acme/docs')).toBe('http://127.0.0.1:4000/api/v3')
    const repository = toRepositoryAddress('https://github.com/acme/docs')
    expect(toApiUrl(repository, { apiUrl: 'https://api.test/v3//' })).toBe('https://api.test/v3')
    const bound = { apiUrl: 'https://git.test/api/v3', apiUrlHost: 'git.test' }
    expect(toApiUrl(toRepositoryAddress('https://git.test/acme/docs'), bound)).toBe('https://git.test/api/v3')
    expect(toApiUrl(repository, bound)).toBe('https://api.github.com')
  })
})
