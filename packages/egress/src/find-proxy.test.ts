import { expect, test } from 'vitest'
import { findProxy } from './find-proxy.ts'

const find = (url: string, exclude = '') =>
  findProxy({ https: 'http://secure:1', http: 'http://plain:2', exclude }, new URL(url))?.host ?? null

test('selects the proxy by scheme', () => {
  expect(find('https://example.com/a')).toBe('secure:1')
  expect(find('http://example.com/a')).toBe('plain:2')
  const onlySecure = { https: 'http://secure:1', http: null, exclude: '' }
  expect(findProxy(onlySecure, new URL('http://example.com'))).toBeNull()
  expect(findProxy(null, new URL('https://example.com'))).toBeNull()
})

test.each(['localhost', 'a.localhost', 'LOCALHOST.', '127.0.0.1', '127.9.9.9', '[::1]'])(
  'connects directly to %s',
  (host) => {
    expect(find(`http://${host}:8080/`)).toBeNull()
    expect(find(`https://${host}/`)).toBeNull()
  },
)

test.each([
  ['*', 'https://example.com', true],
  ['example.com', 'https://example.com', true],
  ['example.com', 'https://git.example.com', true],
  ['.example.com', 'https://git.example.com', true],
  ['*.example.com', 'https://git.example.com', true],
  ['Example.COM', 'https://GIT.example.com', true],
  ['example.com', 'https://badexample.com', false],
  ['other.test, example.com', 'https://example.com', true],
  ['other.test example.com', 'https://example.com', true],
  ['example.com:8443', 'https://example.com:8443', true],
  ['example.com:8443', 'https://example.com', false],
  ['example.com:443', 'https://example.com', true],
  ['10.0.0.0/8', 'http://10.1.2.3', true],
  ['10.0.0.0/8', 'http://11.1.2.3', false],
  ['10.0.0.0/99', 'http://10.1.2.3', false],
  ['10.1.2.3:80', 'http://10.1.2.3', true],
  ['2.3', 'http://10.1.2.3', false],
  ['fd00::/8', 'http://[fd00::1]', true],
  ['fd00::1', 'http://[fd00::1]', true],
  ['[fd00::1]:81', 'http://[fd00::1]:81', true],
  ['[fd00::1]:81', 'http://[fd00::1]', false],
  ['', 'https://example.com', false],
])('NO_PROXY=%s excludes %s: %s', (exclude, url, isDirect) => {
  expect(find(url, exclude) === null).toBe(isDirect)
})
