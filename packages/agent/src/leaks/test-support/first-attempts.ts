import { type Attempt, cut } from './attempt.ts'

const settle = cut('billing', 'src/refunds/settle-refund.ts', 'const ledger', 16)
const score = cut('billing', 'src/refunds/fraud-score.ts', 'const velocity', 6)
const ranked = cut('billing', 'db/migrations/0042_settlements.sql', 'WITH ranked', 10)
const table = cut('billing', 'db/migrations/0042_settlements.sql', 'CREATE TABLE', 9)
const deployment = cut('billing', 'deploy/production.yaml', 'apiVersion', 17)
const design = cut('billing', 'docs/design/settlement.md', 'The first version', 8)
const dispatch = cut('relay', 'internal/hub/dispatch.go', 'subs, generation', 18)
const proto = cut('relay', 'api/relay/v2/relay.proto', 'message Envelope', 10)
const decompose = cut('forecast', 'tideline/models/seasonal.py', 'open_days = ', 9)
const seasonal = cut('forecast', 'tideline/models/seasonal.py', '"""Seasonal', 8)
const notebook = cut('forecast', 'notebooks/README.md', 'Before a release', 7)

const fence = (language: string, lines: readonly string[]) => `\`\`\`${language}\n${lines.join('\n')}\n\`\`\``
const join = (lines: readonly string[]) => lines.map((line) => line.trim()).join(' ')

/** The attempts that the guard was designed with. */
export const FIRST_ATTEMPTS: readonly Attempt[] = [
  {
    name: 'verbatim TypeScript in a fence',
    kind: 'passage',
    from: 'billing',
    pages: { 'guides/refunds.md': fence('ts', settle) },
  },
  {
    name: 'verbatim Go in a fence',
    kind: 'passage',
    from: 'relay',
    pages: { 'guides/relay.md': fence('go', dispatch) },
  },
  {
    name: 'verbatim Python without a fence',
    kind: 'passage',
    from: 'forecast',
    pages: { 'reference/forecast.md': decompose.join('\n') },
  },
  {
    name: 'verbatim SQL on a new page',
    kind: 'passage',
    from: 'billing',
    pages: { 'reference/sql.md': `# SQL\n\n${fence('sql', ranked)}` },
  },
  {
    name: 'a table definition',
    kind: 'passage',
    from: 'billing',
    pages: { 'reference/sql.md': `# SQL\n\n${fence('sql', table)}` },
  },
  {
    name: 'a deployment',
    kind: 'passage',
    from: 'billing',
    pages: { 'guides/refunds.md': fence('yaml', deployment.slice(0, 12)) },
  },
  { name: 'a protocol message', kind: 'passage', from: 'relay', pages: { 'guides/relay.md': fence('proto', proto) } },
  { name: 'exactly six lines', kind: 'passage', from: 'billing', pages: { 'guides/refunds.md': fence('ts', score) } },
  {
    name: 'a paragraph of a design document',
    kind: 'passage',
    from: 'billing',
    pages: { 'guides/refunds.md': design.join('\n') },
  },
  {
    name: 're-indented Go',
    kind: 'passage',
    from: 'relay',
    pages: {
      'guides/relay.md': fence(
        'go',
        dispatch.map((line) => `      ${line.trim()}`),
      ),
    },
  },
  {
    name: 'Python with tabs',
    kind: 'passage',
    from: 'forecast',
    pages: {
      'reference/forecast.md': fence(
        'py',
        decompose.map((line) => line.replace(/^ +/, '\t\t')),
      ),
    },
  },
  {
    name: 'joined lines of TypeScript',
    kind: 'passage',
    from: 'billing',
    pages: { 'guides/refunds.md': join(settle.slice(0, 7)) },
  },
  {
    name: 'joined lines of a docstring',
    kind: 'passage',
    from: 'forecast',
    pages: { 'reference/forecast.md': join(seasonal) },
  },
  {
    name: 'a blank line after each line',
    kind: 'passage',
    from: 'relay',
    pages: {
      'guides/relay.md': fence(
        'go',
        dispatch.flatMap((line) => [line, '']),
      ),
    },
  },
  {
    name: 'SQL split over three pages',
    kind: 'passage',
    from: 'billing',
    pages: {
      'guides/refunds.md': fence('sql', ranked.slice(0, 3)),
      'guides/relay.md': fence('sql', ranked.slice(3, 6)),
      'reference/forecast.md': fence('sql', ranked.slice(6)),
    },
  },
  {
    name: 'a docstring split over two pages',
    kind: 'passage',
    from: 'forecast',
    pages: { 'guides/refunds.md': notebook.slice(0, 4).join('\n'), 'guides/relay.md': notebook.slice(4).join('\n') },
  },
  { name: 'the description', kind: 'passage', from: 'billing', body: `What changed:\n\n${settle.join('\n')}` },
  { name: 'the title', kind: 'passage', from: 'billing', title: join(design).slice(0, 300) },
  {
    name: 'the commit message, which consists of the title and the description',
    kind: 'passage',
    from: 'forecast',
    title: join(seasonal.slice(0, 2)),
    body: `${seasonal.slice(2).join('\n')}\n${decompose.slice(0, 4).join('\n')}`,
  },
  { name: 'a note', kind: 'passage', from: 'relay', notes: ['The topic is parked.', join(dispatch.slice(0, 9))] },
  {
    name: 'alt text',
    kind: 'passage',
    from: 'billing',
    pages: { 'guides/refunds.md': `![${join(design.slice(0, 4))}](refund.png)` },
  },
  {
    name: 'front matter of a new page',
    kind: 'passage',
    from: 'forecast',
    pages: { 'reference/new.md': `---\ntitle: New\ndescription: "${join(notebook.slice(0, 4))}"\n---\n\nText.` },
  },
  {
    name: 'Base64 of a paragraph',
    kind: 'passage',
    from: 'billing',
    pages: { 'guides/refunds.md': `State: ${Buffer.from(design.join('\n')).toString('base64')}` },
  },
  {
    name: 'a quote',
    kind: 'passage',
    from: 'billing',
    pages: { 'guides/refunds.md': design.map((line) => `> ${line}`).join('\n') },
  },
  {
    name: 'an internal host',
    kind: 'host',
    from: 'billing',
    pages: { 'guides/refunds.md': 'The ledger is at ledger.billing.svc.cluster.internal.' },
  },
  {
    name: 'a host without a domain',
    kind: 'host',
    from: 'billing',
    pages: { 'guides/refunds.md': 'Send metrics to `http://metrics-gw-02:9091/push`.' },
  },
  { name: 'a private address', kind: 'host', from: 'billing', body: 'The replica is 10.42.7.19.' },
  {
    name: 'a private package',
    kind: 'package',
    from: 'billing',
    pages: { 'guides/refunds.md': 'Install `@larkspur/billing-core` first.' },
  },
  {
    name: 'a package of an internal registry',
    kind: 'package',
    from: 'billing',
    pages: { 'guides/refunds.md': '```sh\nnpm install @larkspur-infra/tracing@2\n```' },
  },
  {
    name: 'a path',
    kind: 'path',
    from: 'billing',
    pages: { 'guides/refunds.md': 'See `src/refunds/fraud-score.ts` for the weights.' },
  },
  {
    name: 'a link to the repository',
    kind: 'path',
    from: 'billing',
    body: 'Source: https://git.larkspur.io/core/billing/-/blob/main/src/refunds/settle-refund.ts#L9',
  },
  {
    name: 'a password',
    kind: 'credential',
    from: 'billing',
    pages: { 'guides/refunds.md': 'Log in as billing_ro with tR9v-kelp-41-Quartz.' },
  },
  {
    name: 'the password of an address',
    kind: 'credential',
    from: 'forecast',
    notes: ['The password is Nimbus-77-otter.'],
  },
]
