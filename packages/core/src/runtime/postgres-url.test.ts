import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { postgresUrl } from './postgres-url.ts'

const file = fileURLToPath(import.meta.url)

it('keeps a URL, and names the mode that the driver applies', () => {
  for (const query of ['', '?sslmode=verify-full', `?sslmode=verify-full&sslrootcert=${file}`, '?sslmode=no-verify'])
    expect(postgresUrl.parse(`postgresql://u:p@h/db${query}`)).toBe(`postgresql://u:p@h/db${query}`)
  expect(postgresUrl.parse('postgres://h/db?sslmode=require&x=1')).toBe('postgres://h/db?sslmode=verify-full&x=1')
  expect(postgresUrl.parse('postgres://h/db?sslmode=verify-ca')).toBe('postgres://h/db?sslmode=verify-full')
})

it.each([
  ['?sslmode=prefer', 'sslmode must be one of require, verify-ca, verify-full, disable, no-verify'],
  ['?sslmode=verify-full&sslrootcert=/missing/ca.pem', 'the file in sslrootcert cannot be read (/missing/ca.pem)'],
  [`?sslmode=disable&sslrootcert=${file}`, 'sslmode=disable contradicts the certificates in the URL'],
])('rejects %s', (query, problem) => {
  expect(() => postgresUrl.parse(`postgresql://u:p@h/db${query}`)).toThrow(problem)
})
