import { describe, expect, it } from 'vitest'
import { findUnportableName } from './check-policy.ts'

describe('a name that cannot be checked out on every system', () => {
  it.each([
    ['docs/con.md', /"con.md" is reserved for a device/],
    ['AUX/a.md', /"AUX" is reserved/],
    ['nul', /reserved/],
    ['docs/com1.fr.md', /reserved/],
    ['docs/lpt³.md', /reserved/],
    ['docs/aux .md', /reserved/],
    ['package.json:x.md', /contains one of/],
    ['docs/a|b.md', /contains one of/],
    ['docs/what?.md', /contains one of/],
    ['GIT~1/config.md', /"GIT~1" is the short form/],
    ['docs/gitmod~1', /short form/],
    ['docs/SKILL~1.MD', /short form/],
    ['docs/a.md.', /ends with a dot or a space/],
    ['docs /a.md', /ends with a dot or a space/],
    [`docs/${'ü'.repeat(130)}.md`, /longer than 255 bytes/],
  ])('%s', (path, reason) => {
    expect(findUnportableName(path)?.reason).toMatch(reason)
  })

  it('is named with its folder', () => {
    expect(findUnportableName('a/aux/b/con.md')?.folder).toBe('a/aux')
  })
})

it.each([
  'docs/console.md',
  'docs/auxiliary/a.md',
  'com10.md',
  'a~b.md',
  'docs/release~notes.md',
  'docs/.hidden/a.b.md',
  'docs/这是什么？.md',
])('accepts %s', (path) => expect(findUnportableName(path)).toBeNull())
