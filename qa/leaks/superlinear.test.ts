import { findLeaks } from '@corrigenda/agent/leaks'
import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { LINEAR, measureGrowth } from '../injection/measure-growth.ts'

/** Compares a new page with a file of a private source. */
const compare = (file: string, page: string) =>
  findLeaks({
    changes: [{ path: 'docs/a.md', kind: 'added', before: null, after: new TextEncoder().encode(page) }],
    title: null,
    body: '',
    base: buildMemoryWorkspace({ 'docs/b.md': page.slice(0, 1000) }),
    sources: [
      {
        name: 'code',
        visibility: 'private',
        cite: 'none',
        quotable: [],
        repository: 'https://example.com/a/b',
        reader: buildMemoryWorkspace({ 'src/invoices/settle-all.ts': file }),
      },
    ],
  })

const repeat = (count: number, toLine: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => toLine(at))

describe('CPU time of the leak guard grows roughly in proportion to the input', () => {
  it.each<[name: string, size: number, run: (size: number) => Promise<unknown>]>([
    [
      'a copy of a long file',
      3_000,
      (n) => {
        const text = repeat(n, (at) => `  await settle${at}(invoice, { region: ${at % 89}, share: ${at * 7} })`).join(
          '\n',
        )
        return compare(text, text)
      },
    ],
    [
      'a copy on one long line',
      3_000,
      (n) => {
        const text = repeat(n, (at) => `settle${at}(invoice,{region:${at % 89}})`).join(';')
        return compare(text, text)
      },
    ],
    [
      'short lines that are looked up without the index',
      3_000,
      (n) =>
        compare(
          repeat(n, (at) => `if (a${at % 9} > b) run(${at})\nsettle(invoice, region, ${at}, account, period)`).join(
            '\n',
          ),
          repeat(n, (at) => `if (a${at % 7} > b) run(${at})\nsettle(invoice, region, ${at}, account, share)`).join(
            '\n',
          ),
        ),
    ],
    [
      'the same line many times',
      3_000,
      (n) => compare('settle(invoice, region, account)\n'.repeat(n), 'settle(invoice, region, account)\n'.repeat(n)),
    ],
    ['one letter', 40_000, (n) => compare('a'.repeat(n), 'a'.repeat(n))],
    [
      'host names',
      1_000,
      (n) =>
        compare(
          repeat(n, (at) => `"http://db-${at}.corp"`).join('\n'),
          repeat(n, (at) => `db-${at + 9}.corp`).join('\n'),
        ),
    ],
    ['labels of one host', 8_000, (n) => compare(`"${'a.'.repeat(n)}corp"`, 'Connect to a.a.a.corp.')],
    [
      'passwords',
      1_000,
      (n) =>
        compare(
          repeat(n, (at) => `password = "k3-Zebra-${at}-x"`).join('\n'),
          repeat(n, (at) => `k3-Zebra-${at + 9}-x`).join('\n'),
        ),
    ],
    ['packages', 2_000, (n) => compare('x', repeat(n, (at) => `npm install @larkspur/part-${at}`).join('\n'))],
    [
      'paths',
      2_000,
      (n) => compare('x', repeat(n, (at) => `See src/invoices/settle-all.ts and src/part-${at}/a.ts.`).join('\n')),
    ],
    [
      'a drawing of folders',
      2_000,
      (n) => compare('x', repeat(n, (at) => `${' '.repeat(at % 50)}├── part-${at}/`).join('\n')),
    ],
    ['Base64', 8_000, (n) => compare('x', Buffer.from('settle the invoice\n'.repeat(n)).toString('base64'))],
    [
      'Base64 in short lines',
      2_000,
      (n) =>
        compare(
          'x',
          Buffer.from('settle the invoice\n'.repeat(n))
            .toString('base64')
            .replace(/(.{60})/g, '$1\n'),
        ),
    ],
    [
      'hexadecimal codes beside names',
      1_500,
      (n) => compare('x', repeat(n, (at) => `${'0123456789abcdef'.repeat(4)}  zip-${at}`).join('\n')),
    ],
    ['decimal codes', 10_000, (n) => compare('x', '99, 111, 110, 115, '.repeat(n))],
    ['binary codes', 10_000, (n) => compare('x', '01100011 01101111 '.repeat(n))],
    ['unclosed tags, entities and comments', 10_000, (n) => compare('x', '<a &#x /* \\u00 [. "+ '.repeat(n))],
    [
      'comments without code',
      6_000,
      (n) =>
        compare(
          '// settle the invoice of the account\n'.repeat(n),
          repeat(n, (at) => `settle the invoice of the account ${at}`).join('\n'),
        ),
    ],
  ])(
    '%s',
    async (_, size, run) => {
      expect(await measureGrowth(run, size, 20)).toBeLessThan(LINEAR)
    },
    120_000,
  )
})
