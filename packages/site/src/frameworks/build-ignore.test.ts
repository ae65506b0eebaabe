import { describe, expect, it } from 'vitest'
import { buildIgnore } from './build-ignore.ts'

describe('gitignore patterns', () => {
  it.each<[patterns: string[], path: string, ignored: boolean]>([
    [['drafts/'], 'drafts/a.md', true],
    [['drafts/'], 'guides/drafts/a.md', true],
    [['drafts/'], 'drafts', false],
    [['/drafts/'], 'guides/drafts/a.md', false],
    [['*.draft.mdx'], 'a/b.draft.mdx', true],
    [['a/*.md'], 'a/b/c.md', false],
    [['**/internal/**'], 'a/internal/b/c.md', true],
    [['docs/**', '!docs/keep.md'], 'docs/keep.md', false],
    [['docs', '!docs/keep.md'], 'docs/keep.md', true],
    [['*.md', '!index.md'], 'a/index.md', false],
    [['!index.md', '*.md'], 'a/index.md', true],
    [['# a.md', '', ' b.md '], 'b.md', true],
    [['# a.md'], 'a.md', false],
    [['a{b,c}.md'], 'ab.md', false],
    [['x'.repeat(3_000), 'a.md'], 'a.md', true],
    [['['.repeat(1_000), '[b-a]', 'a.md'], 'a.md', true],
    [['constructor'], 'constructor', true],
    [['a'], '__proto__', false],
  ])('rule %#', (patterns, path, ignored) => {
    expect(buildIgnore(patterns)(path)).toBe(ignored)
  })
})
