import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readCommands } from './read-commands.ts'
import { recognize } from './recognize.ts'

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

test('recognizes every command of README.md', () => {
  const commands = readCommands(README)
  expect(commands.length).toBeGreaterThan(5)
  expect(commands.filter(({ text }) => recognize(text) === null)).toEqual([])
})

test('joins continued lines, separates comments and ignores other languages', () => {
  const text = ['```sh', '# a comment', 'one \\', '  two   # set A', "echo '#x'", '```', '```json', '{}', '```']
  expect(readCommands(text.join('\n'))).toEqual([
    { line: 3, text: 'one two', comment: 'set A' },
    { line: 5, text: "echo '#x'", comment: '' },
  ])
})

test('rejects a code block without a language', () => {
  expect(() => readCommands('```\nrm x\n```')).toThrow('Line 1: the code block has no language.')
})

test('does not recognize commands that the README does not use', () => {
  for (const text of ['npx -y pnpm@12 quickstart; rm -rf x', 'sudo npx -y pnpm@12 test', 'docker compose down']) {
    expect(recognize(text)).toBeNull()
  }
})
