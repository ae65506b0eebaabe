import { expect, test } from 'vitest'
import { toHookUrl } from './to-hook-url.ts'

const rules = (...allowedHosts: string[]) => ({ allowedHosts, projectId: 'prj_a' })

test.each(['https://example.com/hooks/deploy', 'https://8.8.8.8/x', 'https://[2606:4700::1111]/x'])(
  'accepts %s',
  (url) => expect(toHookUrl(url, rules())).toBe(url),
)

test.each([
  'https://localhost/x',
  'https://localhost./x',
  'https://api.localhost/x',
  'https://127.0.0.1/x',
  'https://127.1/x',
  'https://2130706433/x',
  'https://0x7f.1/x',
  'https://0.0.0.0/x',
  'https://10.0.0.1/x',
  'https://172.16.0.1/x',
  'https://192.168.1.1/x',
  'https://169.254.169.254/latest/meta-data',
  'https://100.100.100.200/x',
  'https://168.63.129.16/x',
  'https://224.0.0.1/x',
  'https://255.255.255.255/x',
  'https://[::]/x',
  'https://[::1]/x',
  'https://[::127.0.0.1]/x',
  'https://[::ffff:10.0.0.1]/x',
  'https://[fe80::1]/x',
  'https://[fd00:ec2::254]/x',
  'https://[64:ff9b::10.0.0.1]/x',
])('rejects %s unless its host is allowed', (url) => {
  expect(() => toHookUrl(url, rules())).toThrow(/is not a public address.*ALLOWED_HOOK_HOSTS/)
  expect(toHookUrl(url, rules(new URL(url).host))).toBe(new URL(url).href)
})

test('rejects URLs with credentials, and plain http except for allowed hosts', () => {
  expect(() => toHookUrl('http://example.com/x', rules())).toThrow(/https.*ALLOWED_HOOK_HOSTS/)
  expect(() => toHookUrl('https://u:hunter2@example.com/x', rules('example.com'))).toThrow(/must not contain/)
  expect(toHookUrl('http://10.0.0.1:8080/x', rules('10.0.0.1:8080'))).toBe('http://10.0.0.1:8080/x')
})

test("allows a host only on the listed port, or on the scheme's default port if no port is listed", () => {
  for (const [url, allowed, isFine] of [
    ['https://hooks.internal/x', 'hooks.internal:443', true],
    ['http://hooks.internal/x', 'hooks.internal:80', true],
    ['http://hooks.internal/x', 'hooks.internal', true],
    ['http://[::1]/x', '[::1]:80', true],
    ['http://127.0.0.1:9399/x', '127.0.0.1:*', true],
    ['http://127.0.0.1/x', '127.0.0.1:*', true],
    ['http://127.0.0.2:9399/x', '127.0.0.1:*', false],
    ['http://hooks.internal/x', 'hooks.internal:443', false],
    ['http://hooks.internal:443/x', 'hooks.internal', false],
    ['http://hooks.internal:8080/x', 'hooks.internal', false],
  ] as const) {
    if (isFine) expect(toHookUrl(url, rules(allowed))).toBe(url)
    else expect(() => toHookUrl(url, rules(allowed))).toThrow(/must start with https/)
  }
})

test('allows a host for one project or one path only', () => {
  for (const [url, allowed, isFine] of [
    ['http://jenkins.internal:8080/job/docs', 'prj_a=jenkins.internal:8080', true],
    ['http://jenkins.internal:8080/job/docs', 'prj_b=jenkins.internal:8080', false],
    ['http://jenkins.internal:8080/job/docs', 'jenkins.internal:8080/job', true],
    ['http://jenkins.internal:8080/job/docs/build', 'prj_a=jenkins.internal:8080/job/docs/', true],
    ['http://jenkins.internal:8080/job/docs-2', 'jenkins.internal:8080/job/docs', false],
    ['http://jenkins.internal:8080/job', 'jenkins.internal:8080/job/docs', false],
    ['http://jenkins.internal:8080/job/docs/%2e%2e/admin', 'jenkins.internal:8080/job/docs', false],
    ['http://jenkins.internal:8080/job/docs/..%2fadmin', 'jenkins.internal:8080/job/docs', false],
    ['http://jenkins.internal:8080/job/docs/..%5Cadmin', 'jenkins.internal:8080/job/docs', false],
    ['http://jenkins.internal/Path', 'Jenkins.Internal/Path', true],
    ['http://[fd00::1]:81/x', 'prj_a=[fd00::1]:81', true],
  ] as const) {
    if (isFine) expect(toHookUrl(url, rules(allowed))).toBe(new URL(url).href)
    else expect(() => toHookUrl(url, rules(allowed)), url).toThrow(/must start with https/)
  }
})
