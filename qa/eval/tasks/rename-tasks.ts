import type { Task } from '../task/task.ts'
import { buildEditTask, getText } from './build-task.ts'
import { edit, missOne, reflow, replaceAll, replaceInProse, write } from './steps.ts'

const family = 'rename'

const agentToRunner = replaceInProse('harbor', 'build agent', 'runner', [
  'src/guide/getting-started.md',
  'src/guide/pipelines.md',
  'src/guide/secrets.md',
  'src/reference/runners.md',
]).concat(
  write(
    'src/guide/getting-started.md',
    getText('harbor', 'src/guide/getting-started.md')
      .replaceAll('build agent', 'runner')
      .replaceAll('Build agent', 'Runner'),
  ),
)

const lanternServer = replaceAll('lantern', 'Lantern Server', 'Lantern Core')
const separation = [
  edit('src/reference/runners.md', '## Isolation', '## Separation'),
  edit('src/guide/secrets.md', '#isolation', '#separation'),
]
const output = ['cli/list.mdx', 'cli/pause.mdx', 'guides/time-zones.mdx']
const port = [
  'cli/overview.mdx',
  'guides/deploying.mdx',
  'installation.mdx',
  'quickstart.mdx',
  'troubleshooting/connection.mdx',
]
const newPort = replaceAll('tidewater', '7420', '7430', port)
const yaml = replaceAll('orchid', 'api.orchid.example/v1', 'api.orchid.example/v2')
const agent = replaceAll('kestrel', 'kestrel-agent', 'kestrel-probe')
const station = ['docs/stations.md', 'docs/errors.md']

/** Tasks that rename something everywhere, except where a rule preserves the name. */
export const renameTasks: readonly Task[] = [
  buildEditTask({
    family,
    name: 'product-name',
    site: 'lantern',
    prompt:
      'The product "Lantern Server" is now called "Lantern Core". Rename it in all pages. The package name lantern-server stays.',
    title: 'Rename Lantern Server to Lantern Core',
    steps: lanternServer,
    graders: [
      { kind: 'count', in: '**/*.md', text: 'Lantern Server', is: 0 },
      { kind: 'count', in: '**/*.md', text: 'Lantern Core', is: 3 },
      { kind: 'count', in: '**/*.md', text: 'lantern-server', is: 3 },
    ],
    spoiled: [
      ['one occurrence missed', missOne(lanternServer, 'Lantern Server', 'Lantern Core')],
      [
        'the package also renamed',
        [...lanternServer, ...replaceAll('lantern', 'lantern-server', 'lantern-core', ['docs/guides/upgrading.md'])],
      ],
      ['a paragraph reflowed', reflow('lantern', lanternServer, 'docs/index.md')],
    ],
  }),
  buildEditTask({
    family,
    name: 'default-port',
    site: 'tidewater',
    prompt:
      'From 2.5 on the default port of the server is 7430 instead of 7420. Change it in every page, in code and in prose. Do not touch the changelog.',
    title: 'Change the default port to 7430',
    steps: newPort,
    graders: [
      { kind: 'count', in: '**/*.mdx', text: '7420', is: 0 },
      { kind: 'count', in: '**/*.mdx', text: '7430', is: 7 },
      { kind: 'untouched', in: 'changelog/**' },
    ],
    spoiled: [
      ['one occurrence missed', missOne(newPort, '7420', '7430')],
      ['only one side of the container port', [...newPort, edit('installation.mdx', '7430:7430', '7430:7420')]],
      [
        'a release note invented',
        [...newPort, edit('changelog/releases.mdx', '## 2.4', '## 2.5\n\n- The default port is 7430.\n\n## 2.4')],
      ],
    ],
  }),
  buildEditTask({
    family,
    name: 'flag-in-three-pages',
    site: 'tidewater',
    prompt:
      'Replace --output text by --format text in cli/list, cli/pause and guides/time-zones, code blocks included. Leave all other pages for a later change.',
    title: 'Use --format text in three pages',
    steps: replaceAll('tidewater', '--output text', '--format text', output),
    graders: [
      ...output.map((path) => ({ kind: 'lacks', in: path, text: '--output text' }) as const),
      { kind: 'count', in: '{cli/list,cli/pause,guides/time-zones}.mdx', text: '--format text', is: 4 },
      { kind: 'contains', path: 'cli/list.mdx', text: '`--output wide`', times: 1 },
    ],
    spoiled: [
      ['one page missed', replaceAll('tidewater', '--output text', '--format text', output.slice(1))],
      ['every page changed', replaceAll('tidewater', '--output text', '--format text')],
      [
        'the other format also renamed',
        [
          ...replaceAll('tidewater', '--output text', '--format text', output),
          edit('cli/list.mdx', '`--output wide`', '`--format wide`'),
        ],
      ],
    ],
  }),
  buildEditTask({
    family,
    name: 'term-in-prose-only',
    site: 'harbor',
    prompt:
      'We say "runner" instead of "build agent" now. Change the guide and reference/runners.md in prose, with the right upper and lower case. Commands and code stay as they are, and the glossary keeps its entry.',
    title: 'Say runner instead of build agent',
    steps: agentToRunner,
    graders: [
      { kind: 'lacks', in: 'src/guide/*.md', text: 'uild agent' },
      { kind: 'lacks', in: 'src/reference/runners.md', text: 'build agent' },
      { kind: 'code-untouched', path: 'src/reference/runners.md' },
      { kind: 'contains', path: 'src/reference/runners.md', text: 'harbor-agent register', times: 1 },
      { kind: 'contains', path: 'src/reference/glossary.md', text: '**Build agent**', times: 1 },
      { kind: 'matches', path: 'src/guide/getting-started.md', pattern: '^Runners are explained' },
    ],
    spoiled: [
      [
        'the capitalized occurrence missed',
        [...agentToRunner, edit('src/guide/getting-started.md', 'Runners are explained', 'Build agents are explained')],
      ],
      [
        'the command also renamed',
        [...agentToRunner, edit('src/reference/runners.md', 'harbor-agent register', 'harbor-runner register')],
      ],
      ['the glossary changed', [...agentToRunner, edit('src/reference/glossary.md', '**Build agent**', '**Runner**')]],
    ],
  }),
  buildEditTask({
    family,
    name: 'api-version',
    site: 'orchid',
    prompt:
      'The base address of the API is now https://api.orchid.example/v2. Update it where the base address is given, and the paths in the request examples on the Notes page to /v2/.',
    title: 'Move the API pages to version 2',
    steps: [...yaml, ...replaceAll('orchid', '/v1/notes', '/v2/notes', ['pages/api/notes.mdx'])],
    graders: [
      { kind: 'count', in: 'pages/**/*.mdx', text: '/v1', is: 0 },
      { kind: 'contains', path: 'pages/api/notes.mdx', text: '/v2/notes', times: 2 },
      { kind: 'contains', path: 'pages/api/overview.mdx', text: '`https://api.orchid.example/v2`', times: 1 },
    ],
    spoiled: [
      ['the base address only', yaml],
      ['one example missed', [...yaml, edit('pages/api/notes.mdx', 'POST /v1/notes\n', 'POST /v2/notes\n')]],
      [
        'a limit invented',
        [
          ...yaml,
          ...replaceAll('orchid', '/v1/notes', '/v2/notes', ['pages/api/notes.mdx']),
          edit('pages/api/overview.mdx', '60 requests a minute', '120 requests a minute'),
        ],
      ],
    ],
  }),
  buildEditTask({
    family,
    name: 'command-name',
    site: 'kestrel',
    prompt:
      'The program kestrel-agent is called kestrel-probe now. Rename the command. The page "Agents" and its address stay.',
    title: 'Rename kestrel-agent to kestrel-probe',
    steps: agent,
    graders: [
      { kind: 'lacks', in: '**/*.mdx', text: 'kestrel-agent' },
      { kind: 'matches', path: 'reference/agents.mdx', pattern: '^kestrel-probe start --token \\$TOKEN$' },
      {
        kind: 'front-matter',
        path: 'reference/agents.mdx',
        keys: { title: 'Agents', description: 'The program on your machines.' },
        only: true,
      },
    ],
    spoiled: [
      ['the title also changed', [...agent, edit('reference/agents.mdx', 'title: "Agents"', 'title: "Probes"')]],
      [
        'a flag invented',
        [
          edit(
            'reference/agents.mdx',
            'kestrel-agent start --token $TOKEN',
            'kestrel-probe start --token $TOKEN --daemon',
          ),
        ],
      ],
      [
        'links also renamed',
        [...agent, edit('reference/metrics.mdx', '[Agents](/reference/agents)', '[Probes](/reference/probes)')],
      ],
    ],
  }),
  buildEditTask({
    family,
    name: 'exception-names',
    site: 'meadow',
    prompt:
      'StationTimeout is now called StationTimeoutError and StationBusy is StationBusyError. Update docs/errors.md; the tabs in that file are meant.',
    title: 'Rename the exceptions',
    steps: [
      edit('docs/errors.md', 'StationTimeout\n', 'StationTimeoutError\n'),
      edit('docs/errors.md', 'StationBusy\n', 'StationBusyError\n'),
    ],
    graders: [
      { kind: 'matches', path: 'docs/errors.md', pattern: '^StationTimeoutError$' },
      { kind: 'matches', path: 'docs/errors.md', pattern: '^StationBusyError$' },
      { kind: 'contains', path: 'docs/errors.md', text: '\n\tAnother program', times: 1 },
      { kind: 'untouched', in: station[0] ?? '' },
    ],
    spoiled: [
      ['one name missed', [edit('docs/errors.md', 'StationTimeout\n', 'StationTimeoutError\n')]],
      [
        'tabs became spaces',
        [
          write(
            'docs/errors.md',
            getText('meadow', 'docs/errors.md')
              .replace('StationTimeout\n', 'StationTimeoutError\n')
              .replace('StationBusy\n', 'StationBusyError\n')
              .replaceAll('\t', '    '),
          ),
        ],
      ],
      [
        'the word doubled',
        [
          edit('docs/errors.md', 'StationTimeout\n', 'StationTimeoutErrorError\n'),
          edit('docs/errors.md', 'StationBusy\n', 'StationBusyError\n'),
        ],
      ],
    ],
  }),
  buildEditTask({
    family,
    name: 'heading',
    site: 'harbor',
    prompt:
      'On the page about runners, the section "Isolation" is to be called "Separation". Links to it must go on working.',
    title: 'Rename the section Isolation to Separation',
    steps: separation,
    graders: [
      { kind: 'contains', path: 'src/reference/runners.md', text: '## Separation\n', times: 1 },
      { kind: 'contains', path: 'src/guide/secrets.md', text: '(../reference/runners.md#separation)', times: 1 },
    ],
    spoiled: [
      ['the link overlooked', separation.slice(0, 1)],
      ['the link without an anchor', [...separation.slice(0, 1), edit('src/guide/secrets.md', '#isolation', '')]],
      ['another heading renamed', [edit('src/reference/runners.md', '## Your own', '## Separation')]],
    ],
  }),
]
