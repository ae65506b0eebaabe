import type { Task } from '../task/task.ts'
import { buildEditTask } from './build-task.ts'
import { edit } from './steps.ts'

const family = 'closed-world'
const timeout = [
  edit('src/guide/pipelines.md', 'times out after 60 minutes', 'times out after 90 minutes'),
  edit('src/reference/harbor-toml.md', 'Default `60`, at most `360`', 'Default `90`, at most `360`'),
]
const area = [
  edit(
    'docs/guides/charts.md',
    '| `scatter` | how two values go together | 1.3 |',
    '| `scatter` | how two values go together | 1.3 |\n| `area` | change of a total over time | 2.1 |',
  ),
]
const areaAll = [
  ...area,
  edit(
    'docs/reference/options.md',
    '`bar`, `line` or `scatter`. Required.',
    '`bar`, `line`, `scatter` or `area`. Required.',
  ),
]
const minFunction = [
  edit(
    'reference/query.mdx',
    '| `max(x)` | the largest value |',
    '| `max(x)` | the largest value |\n| `min(x)` | the smallest value |',
  ),
]
const fileSize = [edit('pages/guides/importing.mdx', 'Files may have up to 20 MB.', 'Files may have up to 50 MB.')]

/** Closed-world tasks on held-out repositories. */
export const closedWorldHeldOutTasks: readonly Task[] = [
  buildEditTask({
    family,
    name: 'timeout-two-pages',
    site: 'harbor',
    prompt: 'A pipeline times out after 90 minutes by default. The maximum is unchanged. Update guide and reference.',
    title: 'Raise the default timeout to 90 minutes',
    steps: timeout,
    graders: [
      { kind: 'contains', path: 'src/guide/pipelines.md', text: '90 minutes', times: 1 },
      { kind: 'matches', path: 'src/reference/harbor-toml.md', pattern: 'Default `90`, at most `360`' },
      { kind: 'lacks', in: 'src/**/*.md', text: '60 minutes' },
    ],
    spoiled: [
      ['the reference overlooked', timeout.slice(0, 1)],
      ['the guide overlooked', timeout.slice(1)],
      ['the maximum also raised', [...timeout, edit('src/reference/harbor-toml.md', 'at most `360`', 'at most `540`')]],
    ],
  }),
  buildEditTask({
    family,
    name: 'new-chart-type',
    site: 'pebble',
    prompt:
      'Charts of type `area` (change of a total over time) exist since 2.1. Add them to the table of kinds, as its last row, and to the list of types on the Options page.',
    title: 'Document area charts',
    steps: areaAll,
    graders: [
      {
        kind: 'matches',
        path: 'docs/guides/charts.md',
        pattern: '^\\| `area` \\| change of a total over time \\| 2\\.1 \\|$',
      },
      { kind: 'contains', path: 'docs/guides/charts.md', text: '| :--- | :---: | ---: |', times: 1 },
      {
        kind: 'matches',
        path: 'docs/reference/options.md',
        pattern: '^`bar`, `line`,? (or )?`scatter`,? or `area`\\. Required\\.$',
      },
      { kind: 'untouched', in: 'i18n/**' },
    ],
    spoiled: [
      ['the options overlooked', area],
      [
        'the alignment row changed',
        [...areaAll, edit('docs/guides/charts.md', '| :--- | :---: | ---: |', '| --- | --- | --- |')],
      ],
      [
        'the wrong version',
        [
          edit(
            'docs/guides/charts.md',
            '| `scatter` | how two values go together | 1.3 |',
            '| `scatter` | how two values go together | 1.3 |\n| `area` | change of a total over time | 2.0 |',
          ),
          areaAll[1],
        ].filter((step) => step !== undefined),
      ],
    ],
  }),
  buildEditTask({
    family,
    name: 'query-function',
    site: 'kestrel',
    prompt: 'Add the function min(x), "the smallest value", to the functions of the query language, after max.',
    title: 'Document min(x)',
    steps: minFunction,
    graders: [
      {
        kind: 'matches',
        path: 'reference/query.mdx',
        pattern: '^\\| `max\\(x\\)` .*\\n\\| `min\\(x\\)` \\| the smallest value \\|\\n\\| `rate\\(x\\)`',
      },
    ],
    spoiled: [
      [
        'a second function invented',
        [...minFunction, edit('reference/query.mdx', '| `rate(x)` |', '| `sum(x)` | the total |\n| `rate(x)` |')],
      ],
      [
        'without code formatting',
        [
          edit(
            'reference/query.mdx',
            '| `max(x)` | the largest value |',
            '| `max(x)` | the largest value |\n| min(x) | the smallest value |',
          ),
        ],
      ],
      [
        'a neighboring entry replaced',
        [edit('reference/query.mdx', '| `max(x)` | the largest value |', '| `min(x)` | the smallest value |')],
      ],
    ],
  }),
  buildEditTask({
    family,
    name: 'file-limit',
    site: 'orchid',
    prompt: 'Imported files may have up to 50 MB now.',
    title: 'Raise the limit for imported files to 50 MB',
    steps: fileSize,
    graders: [
      { kind: 'contains', path: 'pages/guides/importing.mdx', text: '50 MB', times: 1 },
      { kind: 'lacks', in: 'pages/**/*.mdx', text: '20 MB' },
      { kind: 'contains', path: 'pages/api/errors.mdx', text: 'the note has more than 1 MB', times: 1 },
    ],
    spoiled: [
      ['the note limit also changed', [...fileSize, edit('pages/api/errors.mdx', 'more than 1 MB', 'more than 50 MB')]],
      [
        'both numbers kept',
        [
          edit(
            'pages/guides/importing.mdx',
            'Files may have up to 20 MB.',
            'Files may have up to 50 MB (before: 20 MB).',
          ),
        ],
      ],
      [
        'a callout added',
        [
          ...fileSize,
          edit(
            'pages/guides/importing.mdx',
            'What could not be read',
            '<Callout type="warning">\n  Large files take a while.\n</Callout>\n\nWhat could not be read',
          ),
        ],
      ],
    ],
  }),
]
