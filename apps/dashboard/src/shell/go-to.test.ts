import { expect, test } from 'vitest'
import { toBrowserName } from '../screens/account/sessions-section.tsx'
import { toNextPath } from './go-to.ts'
import { toSignInProblem } from './sign-in-ways.tsx'

test('redirects only to same-origin paths after sign-in', () => {
  const kept = ['/', '/projects/p/jobs?status=failed&q=a%20b', '/ops#workers']
  expect(kept.map(toNextPath)).toEqual(kept)
  const strange = [
    undefined,
    '',
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example/',
    '/\n/evil.example/',
    '/.//evil.example/',
    'javascript:alert(1)',
    '\\\\evil.example',
  ]
  expect(strange.map(toNextPath)).toEqual(strange.map(() => '/'))
})

test('maps an error code to a message that never contains the code', () => {
  for (const code of ['access_denied', 'anything', '<b>x</b>', 'constructor', '__proto__']) {
    const sentence = toSignInProblem(code, { password: true })
    expect(typeof sentence).toBe('string')
    expect(sentence).not.toContain(code)
  }
  expect(toSignInProblem('account_not_linked', { password: true })).toContain('already has a password')
  expect(toSignInProblem('account_not_linked', { password: false })).toContain('Ask an admin for a sign-in link')
})

test('names browsers correctly, despite compatibility tokens in the User-Agent', () => {
  const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  expect(toBrowserName(chrome)).toBe('Chrome on Linux')
  expect(toBrowserName(chrome.replace('Linux x86_64', 'Linux; Android 15'))).toBe('Chrome on Android')
  expect(toBrowserName(`${chrome} Edg/140.0.0.0`)).toBe('Edge on Linux')
  expect(toBrowserName('curl/8.0')).toBe('Unknown browser')
  expect(toBrowserName(null)).toBe('Unknown browser')
})
