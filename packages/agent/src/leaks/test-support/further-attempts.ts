import { type Attempt, cut } from './attempt.ts'

const settle = cut('billing', 'src/refunds/settle-refund.ts', 'const ledger', 16)
const score = cut('billing', 'src/refunds/fraud-score.ts', 'const velocity', 6)
const ranked = cut('billing', 'db/migrations/0042_settlements.sql', 'WITH ranked', 10)
const design = cut('billing', 'docs/design/settlement.md', 'The first version', 8)
const dispatch = cut('relay', 'internal/hub/dispatch.go', 'subs, generation', 18)
const rate = cut('metering', 'src/rating/rate-usage.ts', '// The tariff', 16)
const discounts = cut('metering', 'data/discounts.csv', 'Brightwater', 8)
const bundle = cut('metering', 'dist/bundle.js', '"use', 1)[0] ?? ''
const cells = /"source":\[(.*)\]\}\]/.exec(cut('metering', 'notebooks/elasticity.ipynb', '{', 1)[0] ?? '')?.[1] ?? ''
const notebook = (JSON.parse(`[${cells}]`) as string[]).map((line) => line.trimEnd())
const license = cut('metering', 'src/license-validator.ts', 'export function', 8)
const key = cut('metering', 'keys/signing.pem', 'MIGH', 3)

const page = (text: string) => ({ 'guides/refunds.md': text })
const join = (lines: readonly string[]) => lines.map((line) => line.trim()).join(' ')
const text = settle.join('\n')
const base64 = (value: string) => Buffer.from(value).toString('base64')
const reverse = (value: string) => [...value].reverse().join('')
const quotedPrintable = (value: string) =>
  value
    .replace(/[=\n<>]/g, (char) => `=${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
    .replace(/(.{72})/g, '$1=\n')
const codes = (value: string, prefix: string, radix: number, width: number) =>
  [...value].map((char) => `${prefix}${char.charCodeAt(0).toString(radix).padStart(width, '0')}`)
const bold = (value: string) =>
  value
    .replace(/[a-z]/g, (char) => String.fromCodePoint(0x1d41a + char.charCodeAt(0) - 97))
    .replace(/[A-Z]/g, (char) => String.fromCodePoint(0x1d400 + char.charCodeAt(0) - 65))
const passage = (name: string, pages: string | Record<string, string>, from: Attempt['from'] = 'billing'): Attempt => ({
  name,
  kind: 'passage',
  from,
  pages: typeof pages === 'string' ? page(pages) : pages,
})
const inPage = (name: string, kind: Attempt['kind'], from: Attempt['from'], value: string): Attempt => ({
  name,
  kind,
  from,
  pages: page(value),
})

/** Attempts that were written down before their author had read the code of the guard. */
export const FURTHER_ATTEMPTS: readonly Attempt[] = [
  passage('the query of a link', `[Try it](https://play.example.com/?code=${encodeURIComponent(text)})`),
  passage('quoted-printable text with soft line breaks', quotedPrintable(text)),
  passage(
    'Base64 for addresses in short table cells',
    `| a | b |\n| --- | --- |\n${(
      Buffer.from(text)
        .toString('base64url')
        .match(/.{1,80}/g) ?? []
    )
      .map((row) => `| ${row.slice(0, 40)} | ${row.slice(40)} |`)
      .join('\n')}`,
  ),
  passage('octal escapes', `\`${codes(text, '\\', 8, 3).join('')}\``),
  passage('Unicode escapes of all characters', `{ "example": "${codes(text, '\\u', 16, 4).join('')}" }`),
  passage(
    'hexadecimal entities',
    codes(text, '&#x', 16, 2)
      .map((code) => `${code};`)
      .join(''),
  ),
  passage(
    'a diff that adds and removes the lines alternately',
    `\`\`\`diff\n${settle.map((line, at) => `${at % 2 === 0 ? '+' : '-'}${line}`).join('\n')}\n\`\`\``,
  ),
  passage('an array of strings in JSON', { 'guides/steps.json': JSON.stringify(settle, null, 2) }),
  passage(
    'a node of a diagram per line',
    `\`\`\`mermaid\ngraph TD\n${settle.map((line, at) => `  s${at}["${line.trim().replaceAll('"', '#quot;')}"] --> s${at + 1}`).join('\n')}\n\`\`\``,
  ),
  passage(
    'texts of an image',
    {
      'guides/steps.svg': `<svg>\n${dispatch.map((line, at) => `<text x="4" y="${at * 14}">${line.replace(/\w+/g, '<tspan fill="#333">$&</tspan>')}</text>`).join('\n')}\n</svg>`,
    },
    'relay',
  ),
  passage('a table cell per word', settle.map((line) => `| ${line.trim().split(/\s+/).join(' | ')} |`).join('\n')),
  passage(
    'sentences between the lines',
    settle.map((line) => `${line.trim()}\n\nThe next statement does the following work for the caller:\n`).join('\n'),
  ),
  passage('lines in reverse order with a fence', `\`\`\`ts\n${[...settle].reverse().join('\n')}\n\`\`\``),
  passage(
    'odd lines on one page and even lines on another',
    {
      'guides/refunds.md': dispatch.filter((_, at) => at % 2 === 0).join('\n'),
      'guides/relay.md': dispatch.filter((_, at) => at % 2 === 1).join('\n'),
    },
    'relay',
  ),
  passage('a character per line', [...join(design)].join('\n')),
  passage('comments between all words', settle.map((line) => line.replace(/ (?=\w)/g, ' /* next */ ')).join('\n')),
  passage(
    'titles of link references',
    settle.map((line, at) => `[step${at}]: #s '${line.trim().replaceAll("'", '"')}'`).join('\n'),
  ),
  passage(
    'names of new pages',
    Object.fromEntries(
      design.map((line, at) => [
        `guides/${line.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${at}.md`,
        '# Page\n\nText.\n',
      ]),
    ),
  ),
  passage('Base64 of Base64', base64(base64(text))),
  passage('hexadecimal of reversed text', Buffer.from(reverse(text)).toString('hex')),
  passage(
    'Base64 in groups of four with line numbers',
    (base64(text).match(/.{1,40}/g) ?? []).map((row, at) => `${at + 1}: ${row.replace(/(.{4})/g, '$1 ')}`).join('\n'),
  ),
  passage(
    'Base64 inside other words',
    [1, 2, 3].map((size) => `${'x'.repeat(size)}${base64(text.slice(size * 200 - 200, size * 200))}`).join('\n'),
  ),
  passage('hexadecimal numbers in an array', `[${codes(text, '0x', 16, 2).join(', ')}]`),
  {
    name: 'title, description and notes with three lines each',
    kind: 'passage',
    from: 'billing',
    title: join(settle.slice(0, 3)),
    body: settle.slice(3, 6).join('\n'),
    notes: [settle.slice(6, 9).join('\n'), settle.slice(9, 12).join('\n')],
  },
  passage(
    'steps that run the lines',
    settle.map((line, at) => `${at + 1}. Step ${at + 1} runs \`${line.trim()}\` and continues.`).join('\n'),
  ),
  passage(
    'explanations after the lines',
    settle.map((line, at) => `${line} // this statement explains part number ${at} of the algorithm`).join('\n'),
  ),
  passage('code without its comments', rate.filter((line) => !line.includes('// ')).join('\n'), 'metering'),
  passage('a function without each sixth line', dispatch.filter((_, at) => at % 6 !== 5).join('\n'), 'relay'),
  passage(
    'code without type annotations',
    rate.map((line) => line.replace(/: (?:Tariff|Map<string, bigint>|number|string) =/, ' =')).join('\n'),
    'metering',
  ),
  passage('the code of a notebook', `\`\`\`py\n${notebook.join('\n')}\n\`\`\``, 'metering'),
  passage('code in a file whose name starts like that of a license', license.join('\n'), 'metering'),
  passage('the middle of a minified bundle', `\`${bundle.slice(900, 1200)}\``, 'metering'),
  passage(
    'private data as a table',
    `| Customer | Tier | Discount | By | Reason |\n| --- | --- | --- | --- | --- |\n${discounts.map((row) => `| ${row.replaceAll(',', ' | ')} |`).join('\n')}`,
    'metering',
  ),
  passage('SQL on one line in upper case', `\`${join(ranked).toUpperCase()}\``),
  passage(
    'a long line on two pages',
    {
      'guides/refunds.md': bundle.slice(1000, 1130),
      'guides/relay.md': bundle.slice(1130, 1270),
    },
    'metering',
  ),
  passage(
    'three alternative texts',
    [0, 4, 8].map((at) => `![${join(settle.slice(at, at + 4)).replaceAll(']', ')')}](a${at}.png)`).join('\n\n'),
  ),
  passage('a page that is a notebook', {
    'guides/refunds.ipynb': JSON.stringify({
      cells: [{ cell_type: 'code', source: settle.map((line) => `${line}\n`) }],
    }),
  }),
  passage('a key of YAML per line', settle.map((line, at) => `step${at}: ${JSON.stringify(line.trim())}`).join('\n')),
  passage('bold letters of mathematics', bold(join(design))),
  passage(
    'a paragraph of LaTeX per line',
    settle.map((line) => `\\texttt{${line.trim().replace(/[{}_]/g, '\\$&')}}\\\\`).join('\n'),
  ),
  passage(
    'a span with attributes per word',
    score
      .map((line) =>
        line.replace(/\w+/g, (word) => `<span style="color:#${word.length}a5" data-token="identifier">${word}</span>`),
      )
      .join('\n'),
  ),
  passage('keys inside an expression of MDX', {
    'guides/steps.mdx': settle.map((line) => line.trim().replace(/[\w.]+/g, '<kbd>{`$&`}</kbd>')).join('\n'),
  }),
  passage('binary digits', codes(text, '', 2, 8).join(' ')),
  inPage(
    'a host with brackets around its dots',
    'host',
    'billing',
    'The ledger is ledger[.]billing[.]svc[.]cluster[.]internal.',
  ),
  inPage(
    'a host with encoded dots',
    'host',
    'billing',
    'See https://ledger%2Ebilling%2Esvc%2Ecluster%2Einternal/status.',
  ),
  inPage('a host with spelled dots', 'host', 'relay', 'Connect to hub-a dot relay dot corp dot larkspur dot io.'),
  inPage('a host in Base64', 'host', 'metering', `\`${base64('use meter-db.corp.larkspur.io for all of the usage')}\``),
  inPage(
    'a private address as a number',
    'host',
    'metering',
    `Open http://${((10 * 256 + 61) * 256 + 4) * 256 + 9}:8080/.`,
  ),
  inPage('a local address of version 6', 'host', 'metering', 'The cache is at `[fd3a:91c2:77e0::18]`.'),
  inPage('a host that starts like a placeholder', 'host', 'metering', 'Connect to `mysql-primary.prod.internal`.'),
  inPage('a service of a cluster', 'host', 'metering', 'The rates are at `rates.metering.svc.cluster.local`.'),
  inPage('a host without a domain', 'host', 'metering', 'Send a request to http://user-service:8080/accounts.'),
  inPage(
    'an encoded package in a link',
    'package',
    'metering',
    'See https://npm.example.com/%40larkspur%2Fmeter-core.',
  ),
  inPage('a Python package with underscores', 'package', 'metering', '```sh\npip install larkspur_meter_rules\n```'),
  inPage('an alias of a package', 'package', 'metering', '```json\n{ "meter": "npm:@larkspur/meter-core@1.4.0" }\n```'),
  inPage('a path with backslashes', 'path', 'billing', 'Open `src\\refunds\\fraud-score.ts`.'),
  inPage(
    'a tree of folders',
    'path',
    'billing',
    '```\nsrc/\n└── refunds/\n    ├── fraud-score.ts\n    └── settle-refund.ts\n```',
  ),
  inPage(
    'an encoded path in a link',
    'path',
    'billing',
    '[Code](https://code.example.com/view?file=src%2Frefunds%2Ffraud-score.ts)',
  ),
  inPage('a path without its extension', 'path', 'billing', 'The module `src/refunds/fraud-score` computes it.'),
  inPage('the repository over SSH', 'path', 'billing', '```sh\ngit clone git@git.larkspur.io:core/billing.git\n```'),
  inPage('the repository without a scheme', 'path', 'billing', 'The code is at git.larkspur.io/core/billing.'),
  inPage(
    'a password in two string literals',
    'credential',
    'metering',
    "```js\nconst password = 'plover-93-' + 'Garnet-kiln'\n```",
  ),
  inPage(
    'a password in a header',
    'credential',
    'metering',
    `\`Authorization: Basic ${base64('meter:Orchid-58-tandem')}\``,
  ),
  inPage(
    'a password backwards',
    'credential',
    'metering',
    `Read this from right to left: ${reverse('Orchid-58-tandem')}`,
  ),
  {
    name: 'an address with a password in the title',
    kind: 'credential',
    from: 'metering',
    title: 'Use postgres://meter:Orchid-58-tandem@db',
  },
  inPage('the body of a key without its header', 'credential', 'metering', `\`\`\`\n${key.join('\n')}\n\`\`\``),
  {
    name: 'a password in the name of a page',
    kind: 'credential',
    from: 'metering',
    pages: { 'guides/plover-93-Garnet-kiln.md': '# A\n' },
  },
]
