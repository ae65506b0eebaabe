import { type Attempt, cut } from './attempt.ts'

const settle = cut('billing', 'src/refunds/settle-refund.ts', 'const ledger', 16)
const score = cut('billing', 'src/refunds/fraud-score.ts', 'const velocity', 6)
const ranked = cut('billing', 'db/migrations/0042_settlements.sql', 'WITH ranked', 10)
const deployment = cut('billing', 'deploy/production.yaml', 'apiVersion', 17)
const design = cut('billing', 'docs/design/settlement.md', 'The first version', 8)
const dispatch = cut('relay', 'internal/hub/dispatch.go', 'subs, generation', 18)
const loop = cut('billing', 'src/refunds/settle-refund.ts', 'for (const invoice', 8)
const proto = cut('relay', 'api/relay/v2/relay.proto', 'message Envelope', 10)
const decompose = cut('forecast', 'tideline/models/seasonal.py', 'open_days = ', 9)
const period = cut('forecast', 'tideline/models/seasonal.py', 'rest = compact', 6)
const notebook = cut('forecast', 'notebooks/README.md', 'Before a release', 7)

const refunds = (text: string) => ({ 'guides/refunds.md': text })
const relay = (text: string) => ({ 'guides/relay.md': text })
const forecast = (text: string) => ({ 'reference/forecast.md': text })
const join = (lines: readonly string[]) => lines.map((line) => line.trim()).join(' ')
const hex = (text: string) => Buffer.from(text).toString('hex')
const rot13 = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })
const wide = (text: string) => text.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0))
const cyrillic = (text: string) =>
  text.replace(
    /[aeopcx]/g,
    (char) => ({ a: '\u0430', e: '\u0435', o: '\u043e', p: '\u0440', c: '\u0441', x: '\u0445' })[char] ?? char,
  )
const wrap = (text: string, width: number) => text.match(new RegExp(`.{1,${width}}(?:\\s|$)`, 'g'))?.join('\n') ?? ''
const entities = (text: string) => text.replace(/[^\w\s]/g, (char) => `&#${char.charCodeAt(0)};`)
const allEntities = (text: string) => [...text].map((char) => `&#x${char.charCodeAt(0).toString(16)};`).join('')
const highlight = (line: string) => line.replace(/\w+/g, '<span class="k">$&</span>')

/** Attempts that were written after the guard. */
export const HELD_OUT_ATTEMPTS: readonly Attempt[] = [
  {
    name: 'code in comments of another language',
    kind: 'passage',
    from: 'billing',
    pages: refunds(`\`\`\`py\n${settle.map((line) => `# ${line.trim()}`).join('\n')}\n\`\`\``),
  },
  {
    name: 'an item of a list per line',
    kind: 'passage',
    from: 'relay',
    pages: relay(dispatch.map((line) => `- \`${line.trim()}\``).join('\n')),
  },
  {
    name: 'a row of a table per line',
    kind: 'passage',
    from: 'forecast',
    pages: forecast(
      `| Step | Code |\n| --- | --- |\n${decompose.map((line, index) => `| ${index + 1} | \`${line.trim()}\` |`).join('\n')}`,
    ),
  },
  {
    name: 'numbers before the lines',
    kind: 'passage',
    from: 'billing',
    pages: refunds(settle.map((line, index) => `${String(index + 31).padStart(4)} | ${line}`).join('\n')),
  },
  {
    name: 'numbers and a colon before the lines of SQL',
    kind: 'passage',
    from: 'billing',
    pages: refunds(ranked.map((line, index) => `L${index + 9}: ${line}`).join('\n')),
  },
  {
    name: 'punctuation as entities',
    kind: 'passage',
    from: 'relay',
    pages: relay(`<pre>${entities(dispatch.join('\n'))}</pre>`),
  },
  {
    name: 'all characters as entities',
    kind: 'passage',
    from: 'billing',
    pages: refunds(allEntities(design.slice(0, 5).join(' '))),
  },
  {
    name: 'zero-width spaces in words',
    kind: 'passage',
    from: 'forecast',
    pages: forecast(notebook.map((line) => line.replace(/e/g, 'e\u200b')).join('\n')),
  },
  { name: 'upper case', kind: 'passage', from: 'billing', pages: refunds(design.join('\n').toUpperCase()) },
  {
    name: 'string literals that are concatenated',
    kind: 'passage',
    from: 'forecast',
    pages: forecast(`\`\`\`js\nconst note =\n${notebook.map((line) => `  '${line} ' +`).join('\n')}\n\`\`\``),
  },
  {
    name: 'a JSON string',
    kind: 'passage',
    from: 'billing',
    pages: refunds(`\`\`\`json\n{ "example": ${JSON.stringify(settle.join('\n'))} }\n\`\`\``),
  },
  { name: 'hexadecimal', kind: 'passage', from: 'billing', pages: refunds(hex(design.slice(0, 4).join('\n'))) },
  {
    name: 'hexadecimal with spaces in lines',
    kind: 'passage',
    from: 'relay',
    pages: relay(
      hex(dispatch.join('\n'))
        .replace(/(..)/g, '$1 ')
        .replace(/(.{48})/g, '$1\n'),
    ),
  },
  {
    name: 'percent encoding in an address',
    kind: 'passage',
    from: 'forecast',
    pages: forecast(`[Try it](https://play.larkspur.io/?q=${encodeURIComponent(decompose.join('\n'))})`),
  },
  { name: 'ROT13', kind: 'passage', from: 'billing', body: rot13(design.join('\n')) },
  {
    name: 'reversed text',
    kind: 'passage',
    from: 'forecast',
    pages: forecast([...notebook.join('\n')].reverse().join('')),
  },
  {
    name: 'lines in reverse order',
    kind: 'passage',
    from: 'billing',
    pages: refunds([...ranked].reverse().join('\n')),
  },
  { name: 'a space between all letters', kind: 'passage', from: 'relay', pages: relay([...join(dispatch)].join(' ')) },
  { name: 'wrapped at 40 columns', kind: 'passage', from: 'billing', pages: refunds(wrap(join(design), 40)) },
  {
    name: 'five lines of a comment wrapped at 60 columns',
    kind: 'passage',
    from: 'forecast',
    pages: forecast(wrap(join(notebook.slice(0, 5)), 60)),
  },
  { name: 'an HTML comment', kind: 'passage', from: 'billing', pages: refunds(`<!--\n${settle.join('\n')}\n-->`) },
  {
    name: 'a property of a component',
    kind: 'passage',
    from: 'relay',
    pages: relay(`<Snippet code="${join(dispatch).replaceAll('"', '&quot;')}" />`),
  },
  {
    name: 'highlighted HTML',
    kind: 'passage',
    from: 'billing',
    pages: refunds(`<pre>\n${score.map(highlight).join('\n')}\n</pre>`),
  },
  {
    name: 'a diff',
    kind: 'passage',
    from: 'forecast',
    pages: forecast(`\`\`\`diff\n${decompose.map((line) => `+ ${line}`).join('\n')}\n\`\`\``),
  },
  { name: 'full-width letters', kind: 'passage', from: 'billing', pages: refunds(wide(join(design.slice(0, 4)))) },
  { name: 'Cyrillic letters', kind: 'passage', from: 'billing', pages: refunds(cyrillic(design.join('\n'))) },
  {
    name: 'decimal codes',
    kind: 'passage',
    from: 'relay',
    pages: relay(`\`[${[...Buffer.from(dispatch.slice(0, 9).join('\n'))].join(', ')}]\``),
  },
  {
    name: 'Base64 in lines of 76 characters',
    kind: 'passage',
    from: 'forecast',
    pages: forecast(
      `\`\`\`\n${Buffer.from(decompose.join('\n'))
        .toString('base64')
        .replace(/(.{76})/g, '$1\n')}\n\`\`\``,
    ),
  },
  {
    name: 'Base64 in string literals',
    kind: 'passage',
    from: 'billing',
    pages: refunds(
      `\`\`\`js\n${Buffer.from(settle.join('\n'))
        .toString('base64')
        .replace(/(.{60})/g, '$1\n')
        .split('\n')
        .map((part) => `s += "${part}"`)
        .join('\n')}\n\`\`\``,
    ),
  },
  {
    name: 'a line on each of six pages',
    kind: 'passage',
    from: 'billing',
    pages: Object.fromEntries(
      score.map((line, index) => [`reference/step-${index}.md`, `# Step ${index}\n\n\`${line.trim()}\``]),
    ),
  },
  {
    name: 'a sentence between all lines',
    kind: 'passage',
    from: 'relay',
    pages: relay(dispatch.map((line, index) => `Step ${index + 1} does this:\n\n    ${line}\n`).join('\n')),
  },
  {
    name: 'comments after the lines',
    kind: 'passage',
    from: 'billing',
    pages: refunds(`\`\`\`ts\n${settle.map((line, index) => `${line} // step ${index}`).join('\n')}\n\`\`\``),
  },
  {
    name: 'CR LF and trailing spaces',
    kind: 'passage',
    from: 'relay',
    pages: relay(dispatch.map((line) => `${line}   \r`).join('\n')),
  },
  {
    name: 'a deployment without a fence in a quote',
    kind: 'passage',
    from: 'billing',
    pages: refunds(deployment.map((line) => `> ${line}`).join('\n')),
  },
  {
    name: 'a protocol message in the description',
    kind: 'passage',
    from: 'relay',
    body: `New message:\n\n${proto.join('\n')}`,
  },
  {
    name: 'a diagram',
    kind: 'passage',
    from: 'billing',
    pages: refunds(
      `\`\`\`mermaid\nflowchart TD\n${design.map((line, index) => `  n${index}["${line}"] --> n${index + 1}`).join('\n')}\n\`\`\``,
    ),
  },
  {
    name: 'line breaks as tags',
    kind: 'passage',
    from: 'forecast',
    pages: forecast(`| Note |\n| --- |\n| ${notebook.join('<br>')} |`),
  },
  {
    name: 'short lines on separate rows',
    kind: 'passage',
    from: 'billing',
    pages: refunds(loop.map((line, index) => `Step ${index}: ${line.trim()}`).join('\n\n')),
  },
  {
    name: 'the lines of a small function in sentences',
    kind: 'passage',
    from: 'forecast',
    pages: forecast(`First, \`${period.map((line) => line.trim()).join('`. Then comes `')}\`.`),
  },
  {
    name: 'emphasis inside the words',
    kind: 'passage',
    from: 'billing',
    pages: refunds(design.map((line) => line.replace(/(\w\w)(\w\w+)/g, '**$1**$2')).join('\n')),
  },
  {
    name: 'a host in upper case inside Base64',
    kind: 'host',
    from: 'billing',
    pages: refunds(`\`${Buffer.from('connect to LEDGER.BILLING.SVC.CLUSTER.INTERNAL please').toString('base64')}\``),
  },
  {
    name: 'a database host of a VPN',
    kind: 'host',
    from: 'forecast',
    pages: forecast('Connect to dwh-primary.vpn.tideline.dev.'),
  },
  {
    name: 'a staging host',
    kind: 'host',
    from: 'forecast',
    pages: forecast('Use `https://features.staging.tideline.dev/api`.'),
  },
  {
    name: 'a registry',
    kind: 'host',
    from: 'billing',
    pages: refunds('```yaml\nimage: registry.corp.larkspur.io/payments/settler:4.2.0\n```'),
  },
  {
    name: 'the collector of traces',
    kind: 'host',
    from: 'relay',
    title: 'docs: tracing goes to http://otel-collector-3:4317',
  },
  {
    name: 'a Python package that is not uploaded',
    kind: 'package',
    from: 'forecast',
    pages: forecast('Run `pip install tideline-models`.'),
  },
  {
    name: 'an import of a private package',
    kind: 'package',
    from: 'billing',
    pages: refunds("```js\nimport { settleRefund } from '@larkspur/billing-core/refunds'\n```"),
  },
  { name: 'a path in a note', kind: 'path', from: 'relay', notes: ['Shown by internal/hub/dispatch.go, line 17.'] },
  {
    name: 'the end of a path',
    kind: 'path',
    from: 'forecast',
    pages: forecast('The period is chosen in `models/seasonal.py`.'),
  },
  {
    name: 'a clone command',
    kind: 'path',
    from: 'relay',
    pages: relay('```sh\ngit clone https://git.larkspur.io/core/relay.git\n```'),
  },
  {
    name: 'a secret key',
    kind: 'credential',
    from: 'relay',
    pages: relay('```yaml\nsecretKey: vQ3x-8Lmarble-72kd\n```'),
  },
  {
    name: 'a secret key in Base64',
    kind: 'credential',
    from: 'relay',
    pages: relay(`\`${Buffer.from('the key is vQ3x-8Lmarble-72kd today').toString('base64')}\``),
  },
  {
    name: 'a token in hexadecimal',
    kind: 'credential',
    from: 'relay',
    body: hex(`token ghp_${'aZ3kQ9pLm2Xc7VbN5tRw8YhJ4gFd6SsE1uIo'}`),
  },
]
