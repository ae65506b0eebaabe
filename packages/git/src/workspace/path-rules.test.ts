import { describe, expect, it } from 'vitest'
import { checkPath, isDotGit, isUnaddressable, quote } from './path-rules.ts'
import { WorkspaceError } from './workspace.ts'

describe('checkPath', () => {
  it.each([
    'README.md',
    'docs/guide/start.mdx',
    '.gitignore',
    '.github/workflows/ci.yml',
    'docs/.gitkeep',
    'a/git/b.md',
    'git~x.md',
    'ünï/cödé.md',
    'e\u0301.md',
    'docs/with space/a b.md',
    'docs/[slug]/{x}.mdx',
    'docs/..hidden.md',
    'docs/...md',
    'console.md',
    'falcon',
    'docs/com1x.md',
    `${'a'.repeat(255)}/${'b'.repeat(255)}`,
    `${'a/'.repeat(2047)}bc`,
  ])('accepts %s', (path) => {
    expect(() => checkPath(path)).not.toThrow()
  })

  it.each([
    ['', 'is empty'],
    ['/etc/passwd', 'must be relative'],
    ['C:/x.md', 'must be relative'],
    ['c:x.md', 'must be relative'],
    ['..', '. or .. segments'],
    ['../x.md', '. or .. segments'],
    ['docs/../../x.md', '. or .. segments'],
    ['docs/..', '. or .. segments'],
    ['.', '. or .. segments'],
    ['./x.md', '. or .. segments'],
    ['docs//x.md', 'empty segment'],
    ['docs/', 'empty segment'],
    ['docs\\x.md', 'instead of a backslash'],
    ['.git/config', 'Git directory'],
    ['.GIT/config', 'Git directory'],
    ['.Git', 'Git directory'],
    ['docs/.git/hooks/pre-commit', 'Git directory'],
    ['git~1/config', 'Git directory'],
    ['GIT~1', 'Git directory'],
    ['.git./config', 'Git directory'],
    ['.git /config', 'Git directory'],
    ['.git::$INDEX_ALLOCATION/x', 'Git directory'],
    ['.git:x', 'Git directory'],
    ['.g\u200cit/config', 'Git directory'],
    ['.gi\u200dt/config', 'Git directory'],
    ['\ufeff.git/config', 'Git directory'],
    ['docs/a: b.md', 'characters'],
    ['constructor/C:/mkdocs.yml', 'characters'],
    ['docs/what?.md', 'characters'],
    ['docs/a|b.md', 'characters'],
    ['docs/<a>.md', 'characters'],
    ['docs/con.md', 'device'],
    ['AUX', 'device'],
    ['nul.tar.gz', 'device'],
    ['com1.md', 'device'],
    ['LPT9', 'device'],
    ['lpt¹.md', 'device'],
    ['docs./x.md', 'ends with a dot or a space'],
    ['docs /x.md', 'ends with a dot or a space'],
    ['x.md.', 'ends with a dot or a space'],
    ['x.md ', 'ends with a dot or a space'],
    ['a\nb.md', 'control character'],
    ['a\0b.md', 'control character'],
    ['a\u007fb.md', 'control character'],
    ['a\u2028b.md', 'control character'],
    ['a\ud800b.md', 'valid Unicode'],
    ['a'.repeat(256), 'segment of more than 255 bytes'],
    ['é'.repeat(128), 'segment of more than 255 bytes'],
    [`${'a/'.repeat(2050)}x`, 'longer than 4096 bytes'],
  ])('rejects %j: %s', (path, reason) => {
    expect(() => checkPath(path)).toThrow(WorkspaceError)
    try {
      checkPath(path)
    } catch (error) {
      const { message } = error as Error
      expect(error).toMatchObject({ code: 'invalid_path' })
      expect(message).toContain(reason)
      expect(message).not.toMatch(/[\n\0\u2028]/)
      expect(message.length).toBeLessThan(400)
    }
  })
})

describe('isDotGit', () => {
  it.each(['.git', 'GIT~1', 'git~12', '.git. .', 'git~1:abc', '.git\\config'])('matches %s', (name) => {
    expect(isDotGit(name)).toBe(true)
  })

  it.each(['.gitignore', '.gitattributes', 'git', '.gi', 'gitgit~1', '.git-x', 'x.git'])(
    'does not match %s',
    (name) => {
      expect(isDotGit(name)).toBe(false)
    },
  )
})

describe('isUnaddressable', () => {
  it.each(['a\\b.md', 'a\nb.md', 'a\u2029b.md'])('is true for %j', (name) => {
    expect(isUnaddressable(name)).toBe(true)
  })

  it.each(['a.md', 'con', '.git', 'a b.md'])('is false for %j', (name) => {
    expect(isUnaddressable(name)).toBe(false)
  })
})

describe('quote', () => {
  it('keeps a path of 200 characters and truncates a longer one', () => {
    expect(quote('a'.repeat(200))).toBe(`"${'a'.repeat(200)}"`)
    expect(quote('a'.repeat(201))).toBe(`"${'a'.repeat(200)}…"`)
  })

  it('escapes invisible characters', () => {
    expect(quote('a\u200bb\u2028')).toBe('"a\\u{200b}b\\u{2028}"')
  })
})
