import { describe, expect, test } from 'vitest'
import { redactSecrets } from './redact-secrets.ts'

/** Assembles secrets at run time, so that secret scanners do not report this file. */
const join = (...parts: string[]) => parts.join('')
const SECRETS = [
  join('cgd', '_A1b2C3d4E5f6_', 'x'.repeat(38)),
  join('ghp', '_', 'a1B2'.repeat(9)),
  join('gho', '_', 'a1B2'.repeat(9)),
  join('ghs', '_4242_', 'eyJhbGciOiJSUzI1NiJ9', '.', 'eyJpc3MiOiI0MjQyIn0', '.', 'c2ln-_bmF0dXJl'),
  join('github', '_pat_', '11ABCDEFG0', '_', 'a'.repeat(59)),
  join('sk', '-ant-', 'api03-', 'Ab1-_'.repeat(12)),
  join('sk', '-proj-', 'Ab1_'.repeat(12)),
  join('sk', '-', 'aB3d'.repeat(12)),
  join('AKIA', 'IOSFODNN7EXAMPLE'),
  join('AIza', 'Sy'.repeat(17), 'x'),
  join('xoxb', '-1234567890-abcdef'),
  join('xapp', '-1-A0B1C2D3E4-1234567890-abcdef'),
  join('glpat', '-', 'a1'.repeat(12)),
  join('npm', '_', 'a1'.repeat(18)),
  join('sk', '_live_', 'a1'.repeat(12)),
  join('whsec', '_', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
  join('eyJhbGciOiJIUzI1NiJ9', '.', 'eyJzdWIiOiIxMjM0In0', '.', 'dBjftJeZ4CVP-mB92K27'),
  join('-----BEGIN RSA PRIVATE', ' KEY-----\nMIIE\nabc\n-----END RSA PRIVATE', ' KEY-----'),
]
const UNENDING_KEY = join('-----BEGIN PRIVATE', ' KEY-----\\nMIIE without an end')

describe('redactSecrets', () => {
  test.each(SECRETS)('removes %s', (secret) => {
    for (const text of [secret, `use ${secret}, please`, `KEY="${secret}"`, `(${secret})\n${secret}`]) {
      const clean = redactSecrets(text)
      // The entire secret must be removed, but no surrounding text.
      expect(clean).toBe(text.replaceAll(secret, '[redacted]'))
      expect(redactSecrets(clean)).toBe(clean)
    }
  })

  test('removes an unterminated private key through the end of the text', () => {
    expect(redactSecrets(`use ${UNENDING_KEY}, please`)).toBe('use [redacted]')
  })

  test('removes passwords from URLs and authorization headers, and keeps the rest', () => {
    expect(redactSecrets('git clone https://bob:hunter2@git.test/a/b.git')).toBe(
      'git clone https://[redacted]@git.test/a/b.git',
    )
    expect(redactSecrets('https://bob:hunter2@git.test/')).toBe('https://[redacted]@git.test/')
    expect(redactSecrets('authorization  =  token   abcdef123456')).toBe('authorization  =  token   [redacted]')
    expect(redactSecrets('Authorization: Bearer abcdef123456 and "authorization": "Basic dXNlcjpwYXNz"')).toBe(
      'Authorization: Bearer [redacted] and "authorization": "Basic [redacted]"',
    )
  })

  test('removes known secrets everywhere, including in URLs', () => {
    const knownSecret = 'p@ss/word+1'
    expect(redactSecrets(`a ${knownSecret} b?x=${encodeURIComponent(knownSecret)}`, [knownSecret])).toBe(
      'a [redacted] b?x=[redacted]',
    )
    expect(redactSecrets('a sixsix b', ['sixsix'])).toBe('a [redacted] b')
    expect(redactSecrets('ab longer-secret', ['ab', 'longer', 'longer-secret'])).toBe('ab [redacted]')
  })

  test('does not change ordinary text', () => {
    const text =
      'The cgd_ prefix, ghp_ tokens, sk-learn, task-based-retrieval-and-more-words-here, sk-words-without-a-single-digit, AKIA, 3f786850e387550fdab836ed7e6dc881de23001b, https://docs.test/a@b'
    expect(redactSecrets(text)).toBe(text)
  })

  test('takes linear time on long hostile input', () => {
    const units = [
      'sk-',
      'eyJ-',
      'eyJaaaaaaaa.',
      '-----BEGIN PRIVATE KEY-----',
      'a://',
      'a.',
      'ghp_',
      'authorization: ',
      'xoxb-',
    ]
    for (const unit of units) {
      expect(typeof redactSecrets(unit.repeat(Math.ceil(100_000 / unit.length)))).toBe('string')
    }
  })
})
