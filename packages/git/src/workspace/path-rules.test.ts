import { describe, expect, it } from 'vitest'
import { checkPath, isDotGit } from './path-rules.ts'
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
    `${'a'.repeat(255)}/${'b'.repeat(255)}`,
  ])('takes %s', (path) => {
    expect(() => checkPath(path)).not.toThrow()
  })

  it.each([
    ['', 'empty'],
    ['/etc/passwd', 'absolute'],
    ['C:/x.md', 'drive'],
    ['c:x.md', 'drive'],
    ['..', 'parent'],
    ['../x.md', 'parent'],
    ['docs/../../x.md', 'parent'],
    ['docs/..', 'parent'],
    ['.', 'self'],
    ['./x.md', 'self'],
    ['docs//x.md', 'empty segment'],
    ['docs/', 'empty segment'],
    ['docs\\x.md', 'backslash'],
    ['.git/config', 'git'],
    ['.GIT/config', 'git'],
    ['.Git', 'git'],
    ['docs/.git/hooks/pre-commit', 'git'],
    ['git~1/config', 'short name'],
    ['GIT~1', 'short name'],
    ['.git./config', 'trailing dot'],
    ['.git /config', 'trailing space'],
    ['.git::$INDEX_ALLOCATION/x', 'stream'],
    ['.git:x', 'stream'],
    ['.g\u200cit/config', 'zero width'],
    ['.gi\u200dt/config', 'zero width'],
    ['\ufeff.git/config', 'zero width'],
    ['docs/a: b.md', 'colon'],
    ['constructor/C:/mkdocs.yml', 'drive below a folder'],
    ['docs/what?.md', 'question mark'],
    ['docs/a|b.md', 'bar'],
    ['docs/<a>.md', 'angle brackets'],
    ['docs/con.md', 'device'],
    ['AUX', 'device'],
    ['docs./x.md', 'trailing dot'],
    ['docs /x.md', 'trailing space'],
    ['x.md.', 'trailing dot'],
    ['x.md ', 'trailing space'],
    ['a\nb.md', 'line feed'],
    ['a\0b.md', 'nul'],
    ['a\u007fb.md', 'delete'],
    ['a\u2028b.md', 'line separator'],
    ['a\ud800b.md', 'lone surrogate'],
    ['a'.repeat(256), 'long segment'],
    ['é'.repeat(128), 'long segment in bytes'],
    [`${'a/'.repeat(2050)}x`, 'long path'],
  ])('refuses %j (%s)', (path) => {
    expect(() => checkPath(path)).toThrow(WorkspaceError)
    try {
      checkPath(path)
    } catch (error) {
      expect(error).toMatchObject({ code: 'invalid_path' })
      expect((error as Error).message).not.toMatch(/[\n\0\u2028]/)
      expect((error as Error).message.length).toBeLessThan(400)
    }
  })
})

describe('isDotGit', () => {
  it.each(['.gitignore', '.gitattributes', 'git', '.gi', 'gitgit~1', '.git-x', 'x.git'])('lets %s be', (name) => {
    expect(isDotGit(name)).toBe(false)
  })
})
