import { FENNEL, FENNEL_WORKER } from '../sources/fennel-code.ts'
import { JUNIPER } from '../sources/juniper-code.ts'
import { GATEWAY, LANTERN } from '../sources/lantern-code.ts'
import { buildHistory, change } from '../sources/source-history.ts'
import type { Task } from '../task/task.ts'
import { buildQuietSourceTask, buildSourceTask } from './build-source-task.ts'
import { getText } from './build-task.ts'
import { edit, needsInput, noChange } from './steps.ts'

const LIMITS = 'docs/reference/limits.md'
const BACKUPS = 'docs/guides/backups.md'
const INVOICES = 'fern/pages/invoices.mdx'
const OPTIONS = 'reference/options.md'

const server = { name: 'server', visibility: 'private' } as const
const juniper = { name: 'juniper', visibility: 'public' } as const
const api = { name: 'api', visibility: 'private' } as const

const backupRow = (value: string) =>
  edit(
    BACKUPS,
    '| `backup.target` | none | where backups go |',
    `| \`backup.target\` | none | where backups go |\n| \`backup.compress\` | ${value} | how backups are compressed: \`zstd\`, \`gzip\` or \`none\` |`,
  )
const sentence = (days: number) => edit(BACKUPS, 'Retention is 14 days', `Retention is ${days} days`)
const row = (days: number) => edit(BACKUPS, '| `backup.keep` | 14 |', `| \`backup.keep\` | ${days} |`)
const megabytes = (value: string) => edit(LIMITS, 'at most 200 MB', `at most ${value}`)
const requests = (count: number) => edit(LIMITS, 'may make 50 requests', `may make ${count} requests`)
const sourcemap = (text: string) =>
  edit(
    OPTIONS,
    'Whether code is made smaller. Default `true`.\n',
    `Whether code is made smaller. Default \`true\`.\n\n## sourcemap\n\n${text}\n`,
  )
const outputDir = [
  edit(OPTIONS, '## outDir', '## outputDir'),
  edit('guide/start.md', '../reference/options.md#outdir', '../reference/options.md#outputdir'),
]
const aborted = (text: string) =>
  edit('guide/plugins.md', 'in the order of the list.', `in the order of the list. ${text}`)
const endpoints = `${getText('fennel', INVOICES)}
| Request | Result |
| --- | --- |
| \`GET /invoices\` | a list of invoices |
| \`POST /invoices\` | a new invoice |
| \`POST /invoices/:id/send\` | a mail with the invoice |
| \`POST /invoices/:id/remind\` | a mail with a reminder |
`
const REMIND = '| `POST /invoices/:id/remind` | a mail with a reminder |\n'
const statuses = (text: string) => edit(INVOICES, '`draft`, `open`, `paid` or `void`.', text)
const repeated = (seconds: number, times: number) =>
  edit(
    'fern/pages/webhooks.mdx',
    'within 10 seconds is repeated 5 times',
    `within ${seconds} seconds is repeated ${times} times`,
  )

/** Tasks whose facts are in the code of the product. */
export const fromSourceTasks: readonly Task[] = [
  buildSourceTask({
    name: 'setting-only-in-code',
    site: 'lantern',
    sources: [buildHistory(server, LANTERN)],
    prompt:
      'The setting backup.compress is missing in the guide about backups. Add it below backup.target, with its default and its values. Repository: {{server}}',
    title: 'Document backup.compress',
    steps: [backupRow('`zstd`')],
    cites: [{ page: BACKUPS, source: 'server', path: 'internal/config/backup.go', text: 'Compress string' }],
    graders: [
      { kind: 'matches', path: BACKUPS, pattern: '^\\| `backup\\.compress` \\| `?zstd`? \\|.*gzip.*none.*\\|$' },
    ],
    wrong: [
      ['an invented default', [backupRow('`gzip`')]],
      [
        'an invented value',
        [
          edit(
            BACKUPS,
            '| where backups go |',
            '| where backups go |\n| `backup.compress` | zstd | compression level 1 to 9 |',
          ),
        ],
      ],
    ],
  }),
  buildSourceTask({
    name: 'limits-contradict-code',
    site: 'lantern',
    sources: [
      buildHistory(server, {
        ...LANTERN,
        ...change(
          LANTERN,
          'internal/limits/limits.go',
          ['OriginalMegabytes  = 200', 'OriginalMegabytes  = 300'],
          ['RequestsPerSecond  = 50', 'RequestsPerSecond  = 80'],
        ),
      }),
    ],
    prompt: 'The page about limits is out of date. Compare it with the code of {{server.url}} and correct the numbers.',
    title: 'Correct two limits',
    steps: [megabytes('300 MB'), requests(80)],
    cites: ['OriginalMegabytes  = 300', 'RequestsPerSecond  = 80'].map((text) => ({
      page: LIMITS,
      source: 'server',
      path: 'internal/limits/limits.go',
      text,
    })),
    graders: [
      { kind: 'matches', path: LIMITS, pattern: '\\b300 MB and 100 megapixels' },
      { kind: 'matches', path: LIMITS, pattern: '\\b80 requests a second' },
    ],
    wrong: [
      ['only one number corrected', [megabytes('300 MB')]],
      ['an invented value', [megabytes('300 MB'), requests(100)]],
      ['a correct number changed', [megabytes('300 MB'), requests(80), edit(LIMITS, '500 people', '600 people')]],
    ],
  }),
  buildQuietSourceTask({
    name: 'recent-refactoring',
    site: 'lantern',
    sources: [
      buildHistory(server, LANTERN, [
        {
          message: 'refactor: remove an entry of the cache in constant time',
          daysAgo: 4,
          files: change(LANTERN, 'internal/sizes/cache.go', ['order   []string', 'order   map[string]int']),
        },
        { message: 'ci: run the tests twice', daysAgo: 2, files: { Makefile: 'test:\n\tgo test -count=2 ./...\n' } },
      ]),
    ],
    prompt: 'Update the documentation for our recent pushes to main: Repository: {{server}}',
    outcome: ['no_change'],
    says: 'refactor|cache|internal|test|Makefile',
    reason: 'The recent commits change the cache of sizes and the tests. No documented setting or limit has changed.',
    edit: [edit('docs/index.md', 'forgets them again.', 'forgets them again in constant time.')],
    spoiled: [
      ['the tests documented', [edit(LIMITS, '# Limits\n', '# Limits\n\nThe tests run twice.\n')]],
      ['no reason', [], noChange('Nothing to do.')],
      ['asked a question instead', [], needsInput('Which pages should mention the refactoring?')],
    ],
  }),
  buildSourceTask({
    name: 'recent-default',
    site: 'lantern',
    sources: [
      buildHistory(server, LANTERN, [
        {
          message: 'Merge pull request #31 from lantern/keep\n\nKeep backups longer',
          daysAgo: 6,
          files: change(LANTERN, 'internal/config/backup.go', ['default:"14"', 'default:"21"']),
        },
        { message: 'docs: describe make', daysAgo: 1, files: { 'README.md': '# lantern-server\n\nRun `make`.\n' } },
      ]),
    ],
    prompt: 'Update the documentation for our recent pushes to main: Repository: {{server}}',
    title: 'Correct the default of backup.keep',
    steps: [sentence(21), row(21)],
    cites: [{ page: BACKUPS, source: 'server', path: 'internal/config/backup.go', text: 'default:"21"' }],
    graders: [
      { kind: 'matches', path: BACKUPS, pattern: 'Retention is 21 days' },
      { kind: 'matches', path: BACKUPS, pattern: '^\\| `backup\\.keep` \\| `?21`? \\|' },
    ],
    wrong: [
      ['only one place corrected', [row(21)]],
      ['an invented value', [sentence(30), row(30)]],
    ],
  }),
  buildQuietSourceTask({
    name: 'sources-disagree',
    site: 'lantern',
    sources: [
      buildHistory(server, {
        ...LANTERN,
        ...change(LANTERN, 'internal/limits/limits.go', ['RequestsPerSecond  = 50', 'RequestsPerSecond  = 80']),
      }),
      buildHistory({ name: 'gateway', visibility: 'private' }, GATEWAY),
    ],
    prompt:
      'The limit of requests of an address has changed. Correct it on the page about limits. The code is in {{server}} and {{gateway}}.',
    outcome: ['needs_input'],
    says: '(?=.*\\b80\\b)(?=.*\\b100\\b)',
    reason: 'The server allows 80 requests a second, and the gateway allows 100. Which limit applies?',
    edit: [requests(80)],
    spoiled: [
      ['the other value chosen', [requests(100)]],
      ['both values written', [edit(LIMITS, 'may make 50 requests', 'may make 80 or 100 requests')]],
      ['asked without the values', [], needsInput('What is the limit?')],
    ],
  }),
  buildSourceTask({
    name: 'monorepo-paths',
    site: 'juniper',
    sources: [buildHistory({ ...juniper, paths: ['packages/core/**'] }, JUNIPER)],
    prompt:
      'Document the option sourcemap in a section of its own below minify, with its values and its default. Repository: {{juniper}}',
    title: 'Document the option sourcemap',
    steps: [sourcemap('How source maps are written: `linked`, `inline` or `none`. Default `linked`.')],
    slack: 1,
    cites: [{ page: OPTIONS, source: 'juniper', path: 'packages/core/src/options.ts', text: 'sourcemap:' }],
    graders: [
      { kind: 'contains', path: OPTIONS, text: '\n## sourcemap\n', times: 1 },
      { kind: 'matches', path: OPTIONS, pattern: '[Dd]efault[^.\\n]{0,12}`linked`|`linked`[^.\\n]{0,8}default' },
      { kind: 'matches', path: OPTIONS, pattern: '`none`' },
    ],
    wrong: [
      [
        'the default of another package',
        [sourcemap('How source maps are written: `inline` or `none`. Default `inline`.')],
      ],
      ['an invented value', [sourcemap('How source maps are written: `linked` or `hidden`. Default `linked`.')]],
    ],
  }),
  buildSourceTask({
    name: 'renamed-option',
    site: 'juniper',
    sources: [
      buildHistory(juniper, JUNIPER, [
        {
          message: 'feat(core)!: rename an option (#88)',
          daysAgo: 40,
          files: change(JUNIPER, 'packages/core/src/options.ts', ["outDir: text('dist')", "outputDir: text('dist')"]),
        },
        { message: 'chore: update the lock file', daysAgo: 39, files: { 'pnpm-lock.yaml': 'lockfileVersion: 9\n' } },
      ]),
    ],
    prompt:
      'Update the documentation for the following changes: {{juniper.url}}/compare/{{juniper.0}}...{{juniper.2}}\n\nChanged files:\n- packages/core/src/options.ts\n- pnpm-lock.yaml',
    title: 'Rename outDir to outputDir',
    steps: outputDir,
    cites: [{ page: OPTIONS, source: 'juniper', path: 'packages/core/src/options.ts', text: 'outputDir:' }],
    graders: [
      { kind: 'contains', path: OPTIONS, text: '## outputDir\n', times: 1 },
      { kind: 'count', in: '**/*.md', text: 'outDir', is: 0 },
      { kind: 'contains', path: 'guide/start.md', text: 'options.md#outputdir', times: 1 },
    ],
    wrong: [
      [
        'an invented name',
        [edit(OPTIONS, '## outDir', '## outputDirectory'), edit('guide/start.md', '#outdir', '#outputdirectory')],
      ],
      ['a link to the old anchor', outputDir.slice(0, 1)],
    ],
  }),
  buildSourceTask({
    name: 'only-in-a-test',
    site: 'juniper',
    sources: [buildHistory(juniper, JUNIPER)],
    prompt:
      'Add to the warning on the page about plugins after how many seconds a hook is aborted. Repository: {{juniper}}',
    title: 'State when a hook is aborted',
    steps: [aborted('A hook is aborted after 20 seconds.')],
    slack: 1,
    cites: [
      {
        page: 'guide/plugins.md',
        source: 'juniper',
        path: 'packages/core/test/run-hooks.test.ts',
        text: 'aborts a hook after 20 seconds',
      },
    ],
    graders: [{ kind: 'matches', path: 'guide/plugins.md', pattern: '\\b(?:20|twenty)(?: |-)s(?:econds?)?\\b' }],
    wrong: [
      ['an invented value', [aborted('A hook is aborted after 30 seconds.')]],
      ['no value', [aborted('A slow hook is aborted.')]],
    ],
  }),
  buildSourceTask({
    name: 'removed-endpoint',
    site: 'fennel',
    overlay: { [INVOICES]: endpoints },
    sources: [
      buildHistory(api, FENNEL, [
        {
          message: 'feat!: remove the endpoint for reminders',
          daysAgo: 3,
          files: change(FENNEL, 'config/routes.rb', ['  post   "/invoices/:id/remind", to: "invoices#remind"\n', '']),
        },
      ]),
    ],
    prompt: 'Update the documentation for our recent pushes to main: Repository: {{api}}',
    title: 'Remove the endpoint for reminders',
    steps: [edit(INVOICES, REMIND, '')],
    cites: [{ page: INVOICES, source: 'api', path: 'config/routes.rb', text: 'post   "/invoices/:id/send"' }],
    graders: [
      { kind: 'lacks', in: INVOICES, text: 'remind' },
      { kind: 'contains', path: INVOICES, text: '| `POST /invoices/:id/send` |', times: 1 },
    ],
    wrong: [
      ['another endpoint removed', [edit(INVOICES, '| `POST /invoices/:id/send` | a mail with the invoice |\n', '')]],
      ['marked as deprecated', [edit(INVOICES, 'a mail with a reminder', 'deprecated')]],
    ],
  }),
  buildSourceTask({
    name: 'webhooks-contradict-code',
    site: 'fennel',
    sources: [buildHistory(api, FENNEL)],
    prompt:
      'A customer reports that the time limit and the number of repetitions on the page about webhooks are wrong. Check them against {{api}} and correct them.',
    title: 'Correct how often webhooks are repeated',
    steps: [repeated(15, 8)],
    cites: ['TIMEOUT_SECONDS = 15', 'RETRIES = 8'].map((text) => ({
      page: 'fern/pages/webhooks.mdx',
      source: 'api',
      path: 'lib/fennel/webhook_call.rb',
      text,
    })),
    graders: [
      { kind: 'matches', path: 'fern/pages/webhooks.mdx', pattern: '\\b15 seconds\\b' },
      { kind: 'matches', path: 'fern/pages/webhooks.mdx', pattern: '\\b(?:8|eight) times\\b' },
    ],
    wrong: [
      ['only one number corrected', [repeated(15, 5)]],
      ['an invented value', [repeated(15, 9)]],
    ],
  }),
  buildQuietSourceTask({
    name: 'compared-dependency',
    site: 'fennel',
    sources: [
      buildHistory(api, FENNEL, [
        { message: 'build(deps): bump rack (#204)', daysAgo: 30, files: change(FENNEL, 'Gemfile', ['3.1.0', '3.1.8']) },
      ]),
    ],
    prompt:
      'Update the documentation for the following changes: {{api.url}}/compare/{{api.0}}...{{api.1}}\n\nChanged files:\n- Gemfile',
    outcome: ['no_change'],
    says: 'rack|dependenc|Gemfile',
    reason: 'The range only updates rack in the Gemfile, which the documentation does not mention.',
    edit: [edit('fern/pages/welcome.mdx', 'Fennel sends invoices.', 'Fennel sends invoices with rack 3.1.8.')],
    spoiled: [
      ['a version written', [edit(INVOICES, 'Numbers count up', 'Since rack 3.1.8, numbers count up')]],
      ['no reason', [], noChange('The documentation is up to date.')],
      ['asked a question instead', [], needsInput('Should the version of rack be documented?')],
    ],
  }),
  buildSourceTask({
    name: 'recent-of-two-sources',
    site: 'fennel',
    sources: [
      buildHistory(api, FENNEL, [
        {
          message: 'feat: invoices can be written off (#210)',
          daysAgo: 5,
          files: change(FENNEL, 'lib/fennel/invoice.rb', ['%w[draft open paid void]', '%w[draft open paid void lost]']),
        },
      ]),
      buildHistory({ name: 'worker', visibility: 'private' }, FENNEL_WORKER, [
        {
          message: 'chore: log less',
          daysAgo: 2,
          files: change(FENNEL_WORKER, 'lib/worker.rb', ['Log.info', 'Log.debug']),
        },
      ]),
    ],
    prompt: 'Update the documentation for our recent pushes to main: Repositories: {{api}}, {{worker}}',
    title: 'Add the status lost of invoices',
    steps: [statuses('`draft`, `open`, `paid`, `void` or `lost`.')],
    slack: 1,
    cites: [{ page: INVOICES, source: 'api', path: 'lib/fennel/invoice.rb', text: 'STATUSES = %w[' }],
    graders: [{ kind: 'matches', path: INVOICES, pattern: '`void`.*`lost`|`lost`.*`void`' }],
    wrong: [
      ['an invented name', [statuses('`draft`, `open`, `paid`, `void` or `written_off`.')]],
      [
        'an irrelevant change documented',
        [
          statuses('`draft`, `open`, `paid`, `void` or `lost`.'),
          edit('fern/pages/welcome.mdx', 'Fennel sends invoices.', 'Fennel sends invoices and logs less.'),
        ],
      ],
    ],
  }),
]
