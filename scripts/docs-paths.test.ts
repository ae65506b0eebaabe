import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
/** A path in backticks, or at the start of an indented line, as in a listing. */
const REPOSITORY_PATH = /(?:`|^ {2,})((?:apps|packages|qa|scripts|prisma)\/[^`\s]+)(?=`| |$)/g

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'AGENTS.md',
  'CONTRIBUTING.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !/^(\.vitepress|node_modules)\//.test(file))
    .map((file) => `docs/${file}`),
]

/** Expands braces: `apps/{b,c}` becomes `apps/b` and `apps/c`. */
function expandBraces(text: string): string[] {
  const match = /\{([^{}]*)\}/.exec(text)
  if (!match) return [text]
  const [group, choices = ''] = match
  return choices.split(',').flatMap((choice) => expandBraces(text.replace(group, choice)))
}

/**
 * Returns true if a file or folder matches the pattern. `*` and a placeholder such as `<name>`
 * match any part of a name.
 */
function matchesAny(pattern: string): boolean {
  let found = [root]
  for (const part of pattern.split('/').filter(Boolean)) {
    const name = new RegExp(`^${part.replace(/[.+?^$()[\]\\|]/g, '\\$&').replace(/\*+|<[^>]*>/g, '.+')}$`)
    found = found.flatMap((dir) =>
      (/[*<]/.test(part) ? readdirSync(dir).filter((entry) => name.test(entry)) : [part])
        .map((entry) => path.join(dir, entry))
        .filter((entry) => existsSync(entry)),
    )
  }
  return found.length > 0
}

/** Returns the repository paths in backticks that do not exist, as `file:line: path`. */
function findUnknownPaths(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) =>
    [...line.matchAll(REPOSITORY_PATH)]
      .flatMap(([, found = '']) => expandBraces(found))
      .filter((found) => !matchesAny(found))
      .map((found) => `${file}:${index + 1}: ${found}`),
  )
}

it.each(documents)('%s contains only paths that exist', (file) => {
  expect(findUnknownPaths(file, readFileSync(path.join(root, file), 'utf8'))).toEqual([])
})

it('reports missing paths, with or without braces and wildcards', () => {
  const text = [
    'See `apps/api/src`, `apps/{api,none}/src` and `prisma/`.',
    '`packages/core/src/none.ts`, `packages/site/src/frameworks/<name>`, `prisma/migrations/*_none`',
    '  apps/api/src    exists',
    '  qa/none.ts      does not',
  ]
  expect(findUnknownPaths('x.md', text.join('\n'))).toEqual([
    'x.md:1: apps/none/src',
    'x.md:2: packages/core/src/none.ts',
    'x.md:2: prisma/migrations/*_none',
    'x.md:4: qa/none.ts',
  ])
})
