import type { WorkspaceChange } from '@corrigenda/git/workspace'
import { describe, expect, it } from 'vitest'
import { findSecrets } from './find-secrets.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const added = (text: string, path = 'a.md'): WorkspaceChange => ({
  path,
  kind: 'added',
  before: null,
  after: bytes(text),
})
const find = (changes: WorkspaceChange[], rest: { title?: string; body?: string; knownSecrets?: string[] } = {}) =>
  findSecrets({ changes, title: rest.title ?? null, body: rest.body ?? '', knownSecrets: rest.knownSecrets ?? [] })

const mixed = 'aZ3kQ9pLm2Xc7VbN5tRw8YhJ4gFd6SsE1uIo'
const toJwtPart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const secrets: [name: string, value: string][] = [
  ['API key for this service', `cgd_aB3dE6gH9jK2_${mixed}Qw`],
  ['GitHub token', `ghp_${mixed}`],
  ['GitHub server token of any length', `ghs_123456_${mixed}.${mixed}-x_y`],
  ['GitHub fine-grained token', `github_pat_11ABCDEFG0aZ3kQ9pLm2Xc_${mixed}${mixed}`],
  ['model key', `sk-ant-api03-${mixed}`],
  ['AWS key', 'AKIAQ3EGPLKM7TZRVWXB'],
  ['GitLab token', `glpat-${mixed.slice(0, 20)}`],
  ['Stripe key', `sk_live_${mixed.slice(0, 24)}`],
  ['Slack token', `xoxb-123456789012-${mixed}`],
  ['Google API key', `AIza${mixed.slice(0, 35)}`],
  ['npm token', `npm_${mixed}`],
  ['SendGrid key', `SG.${mixed.slice(0, 22)}.${mixed}${mixed.slice(0, 7)}`],
  ['OpenAI key', `sk-proj-${mixed}${mixed}`],
  ['JSON Web Token', `${toJwtPart({ alg: 'HS256' })}.${toJwtPart({ sub: 'usr_81', exp: 1 })}.${mixed}`],
  ['private key', `-----BEGIN RSA PRIVATE KEY-----\n${mixed}${mixed}\n`],
]

describe('secrets', () => {
  it.each(secrets)('finds a secret in a page: %s', (_, value) => {
    const found = find([added(`text\n\nUse ${value}`.replace('Use -----', '-----'))])
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ code: 'secret_in_change', path: 'a.md' })
    expect(found[0]?.message).toMatch(/^Line 3 of "a\.md" contains what looks like/)
    expect(found[0]?.message).not.toContain(mixed)
  })

  it.each(secrets)('finds a secret in the title or body: %s', (_, value) => {
    expect(find([], { title: value.split('\n')[0] ?? '' })).toHaveLength(1)
    expect(find([], { body: `see ${value}` })).toHaveLength(1)
  })

  it('finds known secrets inside other text and in file names', () => {
    const knownSecrets = ['pw-4711-geheim', 'short']
    expect(find([added('x pw-4711-geheimx short')], { knownSecrets })).toHaveLength(1)
    expect(find([added('x', 'pw-4711-geheim.md')], { knownSecrets })).toHaveLength(1)
    expect(find([], { knownSecrets, body: 'a pw-4711-geheim' })[0]?.message).not.toContain('geheim')
  })

  it('ignores the sample of jwt.io', () => {
    const sample = [
      { alg: 'HS256', typ: 'JWT' },
      { sub: '1234567890', name: 'John Doe', iat: 1516239022 },
    ]
    expect(find([added(`${sample.map(toJwtPart).join('.')}.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c`)])).toEqual([])
    expect(find([added(`sk_test_${mixed} sk_live_your_key xoxb-your-token npm_${'x'.repeat(36)}`)])).toEqual([])
  })

  it('ignores placeholders', () => {
    expect(find([added(`ghp_${'x'.repeat(36)} AKIAIOSFODNN7EXAMPLE sk-ant-api03-xxxxxxxxxxxxxxxxxxxx`)])).toEqual([])
    expect(find([added('-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----\n')])).toEqual([])
  })

  it('ignores secrets that the page already contained, even if the page moves', () => {
    const text = `Use ghp_${mixed}\n`
    const before = bytes(text)
    expect(find([{ path: 'a.md', kind: 'modified', before, after: bytes(`${text}more\n`) }])).toEqual([])
    const moved = [added(text, 'b/a.md'), { path: 'a.md', kind: 'deleted', before, after: null } as const]
    expect(find(moved)).toEqual([])
  })
})
