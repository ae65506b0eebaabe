import { CONTROL, HARBOR } from '../sources/harbor-code.ts'
import { ORCHID } from '../sources/orchid-code.ts'
import { buildHistory, change } from '../sources/source-history.ts'
import { WREN } from '../sources/wren-code.ts'
import type { Task } from '../task/task.ts'
import { buildQuietSourceTask, buildSourceTask } from './build-source-task.ts'
import { getText } from './build-task.ts'
import { edit, needsInput, noChange } from './steps.ts'

const TOML = 'src/reference/harbor-toml.md'
const CACHING = 'src/guide/caching.md'
const PIPELINES = 'src/guide/pipelines.md'
const RUNNERS = 'src/reference/runners.md'
const NOTES = 'pages/api/notes.mdx'
const OVERVIEW = 'pages/api/overview.mdx'
const SHARING = 'pages/guides/sharing.mdx'
const IMPORTING = 'pages/guides/importing.mdx'
const LIMITS = 'src/content/docs/reference/limits.md'
const BOUNCES = 'src/content/docs/guides/bounces.md'

const runner = { name: 'runner', visibility: 'private' } as const
const backend = { name: 'backend', visibility: 'private' } as const
const mta = { name: 'wren', visibility: 'public' } as const

const LAST = 'Minutes after which the pipeline is stopped. Default `60`, at most `360`.'
const retries = (text: string) => edit(TOML, LAST, `${LAST}\n\n## retries\n\n${text}`)
const kept = (days: number, gigabytes: number) => [
  edit(CACHING, 'not used for 7 days', `not used for ${days} days`),
  edit(CACHING, 'at most 2 GB', `at most ${gigabytes} GB`),
]
const timeout = (minutes: number) => [
  edit(TOML, 'Default `60`', `Default \`${minutes}\``),
  edit(PIPELINES, 'times out after 60 minutes', `times out after ${minutes} minutes`),
]
const memory = (text: string) => edit(RUNNERS, '8 GB of memory', `${text} of memory`)
const ARCHIVE = '\n## Archive\n\n```http\nPOST /v1/notes/:id/archive\n```\n\nAn archived note cannot be changed.\n'
const rate = (count: number) => edit(OVERVIEW, 'make 60 requests', `make ${count} requests`)
const deleted = (text: string) => edit(SHARING, 'Links end after 30 days.', `Links end after 30 days. ${text}`)
const into = (flag: string) => edit(IMPORTING, '--space team', `${flag} team`)
const attachments = (text: string) => edit(LIMITS, '- 10 MB of attachments\n', `- 10 MB of attachments\n${text}\n`)
const hours = (count: number) => edit(BOUNCES, 'tried again for 24 hours', `tried again for ${count} hours`)

/** Tasks whose facts are in the code of the product, for held-out sites. */
export const fromSourceHeldOutTasks: readonly Task[] = [
  buildSourceTask({
    name: 'key-only-in-code',
    site: 'harbor',
    sources: [buildHistory(runner, HARBOR)],
    prompt:
      'The key retries of harbor.toml is not documented. Add a section for it after timeout, with its default and its maximum. It is how often a step that failed is tried again. Repository: {{runner}}',
    title: 'Document the key retries',
    steps: [retries('How often a step that failed is tried again. Default `1`, at most `4`.')],
    slack: 1,
    cites: [{ page: TOML, source: 'runner', path: 'src/manifest.rs', text: 'let retries = bounded(1).between(0, 4)' }],
    graders: [
      { kind: 'contains', path: TOML, text: '\n## retries\n', times: 1 },
      { kind: 'matches', path: TOML, pattern: '[Dd]efault[^.\\n]{0,12}\\b1\\b|\\b1\\b`?[^.\\n]{0,8}default' },
      { kind: 'matches', path: TOML, pattern: '(?:most|max|maximum|up to)[^.\\n]{0,12}\\b4\\b|\\bto `?4\\b' },
    ],
    wrong: [
      ['an invented maximum', [retries('How often a step that failed is tried again. Default `1`, at most `10`.')]],
      ['no default', [retries('How often a step that failed is tried again, at most `4`.')]],
    ],
  }),
  buildSourceTask({
    name: 'cache-contradicts-code',
    site: 'harbor',
    sources: [buildHistory(runner, HARBOR)],
    prompt:
      'Two numbers on the page about caching are wrong. Compare it with the code of {{runner.url}} and correct them.',
    title: 'Correct the limits of caches',
    steps: kept(10, 5),
    cites: ['EXPIRES_AFTER_DAYS: u64 = 10', 'MAX_GIGABYTES: u64 = 5'].map((text) => ({
      page: CACHING,
      source: 'runner',
      path: 'src/cache.rs',
      text,
    })),
    graders: [
      { kind: 'matches', path: CACHING, pattern: '\\b10 days' },
      { kind: 'matches', path: CACHING, pattern: '\\b5 GB' },
    ],
    wrong: [
      ['only one number corrected', kept(10, 2)],
      ['an invented value', kept(14, 5)],
    ],
  }),
  buildSourceTask({
    name: 'recent-timeout',
    site: 'harbor',
    sources: [
      buildHistory(runner, HARBOR, [
        {
          message: 'feat: stop pipelines earlier (#57)',
          daysAgo: 8,
          files: change(HARBOR, 'src/manifest.rs', ['bounded(60)', 'bounded(45)']),
        },
        { message: 'style: format', daysAgo: 7, files: { 'rustfmt.toml': 'edition = "2021"\n' } },
      ]),
    ],
    prompt: 'Update the documentation for our recent pushes to main: Repository: {{runner}}',
    title: 'Correct the default timeout',
    steps: timeout(45),
    cites: [TOML, PIPELINES].map((page) => ({
      page,
      source: 'runner',
      path: 'src/manifest.rs',
      text: 'let timeout = bounded(45)',
    })),
    graders: [
      { kind: 'matches', path: TOML, pattern: 'Default `45`, at most `360`' },
      { kind: 'matches', path: PIPELINES, pattern: '\\b45 minutes' },
    ],
    wrong: [
      ['only one page corrected', timeout(45).slice(0, 1)],
      ['an invented value', timeout(90)],
    ],
  }),
  buildQuietSourceTask({
    name: 'memory-disagrees',
    site: 'harbor',
    sources: [buildHistory(runner, HARBOR), buildHistory({ name: 'control', visibility: 'private' }, CONTROL)],
    prompt:
      "Harbor's own runners have more memory now. Correct the page about runners. The code is in {{runner}} and {{control}}.",
    outcome: ['needs_input'],
    says: '(?=.*\\b16\\b)(?=.*\\b12\\b)',
    reason:
      'The runner starts machines with 16 GB of memory, but the configuration of the fleet has 12 GB. Which one is right?',
    edit: [memory('16 GB')],
    spoiled: [
      ['the other value chosen', [memory('12 GB')]],
      ['both values written', [memory('12 to 16 GB')]],
      ['asked without the values', [], needsInput('How much memory do the runners have?')],
    ],
  }),
  buildQuietSourceTask({
    name: 'recent-tests',
    site: 'harbor',
    sources: [
      buildHistory(runner, HARBOR, [
        {
          message: 'test: cover the sweep of caches',
          daysAgo: 3,
          files: {
            'tests/sweep.rs':
              '#[test]\nfn keeps_new_caches() {\n    assert_eq!(sweep(&mut one_new(), today()), 0);\n}\n',
          },
        },
        {
          message: 'chore: correct a comment',
          daysAgo: 1,
          files: change(HARBOR, 'src/machine.rs', ['/// Size', '/// The size']),
        },
      ]),
    ],
    prompt: 'Update the documentation for our recent pushes to main: Repository: {{runner}}',
    outcome: ['no_change'],
    says: 'test|comment',
    reason: 'The recent commits add a test and correct a comment. They do not change the behavior of the runner.',
    edit: [edit(CACHING, 'at most 2 GB.', 'at most 2 GB. This is tested.')],
    spoiled: [
      ['an unrelated fact corrected', kept(10, 5)],
      ['no reason', [], noChange('There is nothing to do.')],
      ['asked a question instead', [], needsInput('Which pages describe the sweep?')],
    ],
  }),
  buildSourceTask({
    name: 'endpoint-removed',
    site: 'orchid',
    overlay: { [NOTES]: `${getText('orchid', NOTES)}${ARCHIVE}` },
    sources: [
      buildHistory(backend, ORCHID, [
        {
          message: 'Merge pull request #412 from orchid/no-archive\n\nRemove the archive',
          daysAgo: 9,
          files: change(ORCHID, 'services/api/routes.py', [
            '    ("POST", "/v1/notes/{id}/archive", notes.archive),\n',
            '',
          ]),
        },
      ]),
    ],
    prompt: 'Update the documentation for our recent pushes to main: Repository: {{backend}}',
    title: 'Remove the endpoint for archiving',
    steps: [edit(NOTES, ARCHIVE, '')],
    slack: 1,
    cites: [
      { page: NOTES, source: 'backend', path: 'services/api/routes.py', text: '"/v1/notes/{id}/share", notes.share' },
    ],
    graders: [
      { kind: 'matches', path: NOTES, pattern: 'archive', ignoreCase: true, not: true },
      { kind: 'contains', path: NOTES, text: 'POST /v1/notes/:id/share', times: 1 },
    ],
    wrong: [
      ['only the request removed', [edit(NOTES, '```http\nPOST /v1/notes/:id/archive\n```\n\n', '')]],
      ['marked as deprecated', [edit(NOTES, '## Archive', '## Archive (deprecated)')]],
    ],
  }),
  buildSourceTask({
    name: 'monorepo-rate',
    site: 'orchid',
    sources: [buildHistory({ ...backend, paths: ['services/api/**'] }, ORCHID)],
    prompt:
      'How many requests a token may make is wrong in the overview of the API. Correct it. Repository: {{backend}}',
    title: 'Correct the rate limit of tokens',
    steps: [rate(90)],
    cites: [{ page: OVERVIEW, source: 'backend', path: 'services/api/limits.py', text: 'TOKEN_RATE = PerMinute(90)' }],
    graders: [{ kind: 'matches', path: OVERVIEW, pattern: '\\b90 requests a minute' }],
    wrong: [
      ['the rate of another service', [rate(600)]],
      ['an invented value', [rate(120)]],
    ],
  }),
  buildSourceTask({
    name: 'test-only',
    site: 'orchid',
    sources: [buildHistory(backend, ORCHID)],
    prompt:
      'Add after the sentence about 30 days on the page about sharing which status code the link to a deleted note answers. Repository: {{backend}}',
    title: 'State the answer of links to deleted notes',
    steps: [deleted('The link to a deleted note answers 410.')],
    slack: 1,
    cites: [{ page: SHARING, source: 'backend', path: 'services/api/tests/test_links.py', text: 'status_code == 410' }],
    graders: [
      {
        kind: 'matches',
        path: SHARING,
        pattern: 'deleted[^.\\n]*\\b410\\b|\\b410\\b[^.\\n]*deleted',
        ignoreCase: true,
      },
    ],
    wrong: [
      ['an invented status code', [deleted('The link to a deleted note answers 404.')]],
      [
        'two status codes',
        [deleted('The link to a deleted note answers 404.'), edit(SHARING, '30 days.', '30 days (410).')],
      ],
    ],
  }),
  buildSourceTask({
    name: 'option-renamed',
    site: 'orchid',
    sources: [
      buildHistory(backend, ORCHID, [
        {
          message: 'cli: clearer names for options',
          daysAgo: 60,
          files: change(ORCHID, 'cli/import_command.py', ['"--space"', '"--into"']),
        },
      ]),
    ],
    prompt:
      'Update the documentation for the following changes: {{backend.url}}/compare/{{backend.0}}...{{backend.1}}\n\nChanged files:\n- cli/import_command.py',
    title: 'Rename --space of orchid import',
    steps: [into('--into')],
    cites: [{ page: IMPORTING, source: 'backend', path: 'cli/import_command.py', text: '"--into"' }],
    graders: [
      { kind: 'contains', path: IMPORTING, text: 'orchid import ./notes --into team', times: 1 },
      { kind: 'lacks', in: '**/*.mdx', text: '--space' },
    ],
    wrong: [
      ['an invented name', [into('--target')]],
      ['both names', [edit(IMPORTING, '--space team\n', '--space team\norchid import ./notes --into team\n')]],
    ],
  }),
  buildSourceTask({
    name: 'limit-only-in-code',
    site: 'wren',
    sources: [buildHistory(mta, WREN)],
    prompt:
      'Add a line to the end of the list on the page about limits: how many attachments one message may have. Repository: {{wren}}',
    title: 'Add the number of attachments',
    steps: [attachments('- 25 attachments of one message')],
    slack: 1,
    cites: [{ page: LIMITS, source: 'wren', path: 'message/message.go', text: 'maxAttachments     = 25' }],
    graders: [{ kind: 'matches', path: LIMITS, pattern: '^- .*\\b25\\b.*attachments?' }],
    wrong: [
      ['an invented value', [attachments('- 20 attachments of one message')]],
      ['another limit changed', [attachments('- 25 attachments of one message'), edit(LIMITS, '- 50', '- 25')]],
    ],
  }),
  buildQuietSourceTask({
    name: 'compared-update',
    site: 'wren',
    sources: [
      buildHistory(mta, WREN, [
        { message: 'build: update smtp', daysAgo: 21, files: change(WREN, 'go.mod', ['v1.4.0', 'v1.4.2']) },
      ]),
    ],
    prompt:
      'Update the documentation for the following changes: {{wren.url}}/compare/{{wren.0}}...{{wren.1}}\n\nChanged files:\n- go.mod',
    outcome: ['no_change'],
    says: 'smtp|dependenc|go\\.mod',
    reason: 'The range only updates the dependency smtp in go.mod.',
    edit: [edit('src/content/docs/index.mdx', 'Wren sends mail', 'Wren 1.4.2 sends mail')],
    spoiled: [
      ['a version written', [attachments('- smtp 1.4.2')]],
      ['no reason', [], noChange('All pages are current.')],
      ['asked a question instead', [], needsInput('Should the version be documented?')],
    ],
  }),
  buildSourceTask({
    name: 'recent-retries',
    site: 'wren',
    sources: [
      buildHistory({ ...mta, visibility: 'private' }, WREN, [
        {
          message: 'feat: try soft bounces for longer (#19)',
          daysAgo: 11,
          files: change(WREN, 'bounce/retry.go', ['24 * time.Hour', '36 * time.Hour']),
        },
      ]),
    ],
    prompt: 'Update the documentation for our recent pushes to main: Repository: {{wren}}',
    title: 'Correct how long soft bounces are tried again',
    steps: [hours(36)],
    cites: [{ page: BOUNCES, source: 'wren', path: 'bounce/retry.go', text: 'retryFor = 36 * time.Hour' }],
    graders: [{ kind: 'matches', path: BOUNCES, pattern: '\\b36 hours' }],
    wrong: [
      ['an invented value', [hours(48)]],
      [
        'an invented fact added',
        [hours(36), edit(BOUNCES, 'not written to again.', 'not written to again for 30 days.')],
      ],
    ],
  }),
]
