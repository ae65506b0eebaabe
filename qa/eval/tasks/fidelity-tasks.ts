import type { Task } from '../task/task.ts'
import { buildEditTask, getText } from './build-task.ts'
import { edit, write } from './steps.ts'

const family = 'fidelity'
const stations = 'docs/stations.md'
const units = 'docs/units.md'

const timeout = [edit(stations, 'The default timeout is 5 seconds.', 'The default timeout is 8 seconds.')]
const model = [edit(stations, '| WS-300 | TCP | 8 |\r\n', '| WS-300 | TCP | 8 |\r\n| WS-400 | TCP | 12 |\r\n')]
const rounding = [
  edit(units, 'temperatures have one digit after the point.', 'temperatures have two digits after the point.'),
]
const index = [
  edit('docs/index.md', '- [Change log](changelog.md)', '- [Change log](changelog.md)\n- [Read me](../README.md)'),
]
const errors = [
  edit('docs/errors.md', '\tAnother program reads the station.', '\tAnother program reads or writes the station.'),
]
const range = [edit('pages/api/notes.mdx', '1 to 365, default 30', '1 to 90, default 30')]
const toLf = (path: string, text: string) =>
  write(
    path,
    getText('meadow', path)
      .replaceAll('\r\n', '\n')
      .replace(...(text.split('=>') as [string, string])),
  )

/**
 * Tasks whose unrelated content must be preserved byte for byte, such as line endings, byte order
 * marks, tabs, tables and code.
 */
export const fidelityTasks: readonly Task[] = [
  buildEditTask({
    family,
    name: 'crlf-sentence',
    site: 'meadow',
    prompt: 'The default timeout of stations is 8 seconds.',
    title: 'Correct the default timeout',
    steps: timeout,
    graders: [
      { kind: 'encoding', path: stations, eol: 'crlf', bom: false },
      { kind: 'contains', path: stations, text: 'The default timeout is 8 seconds.', times: 1 },
      { kind: 'code-untouched', path: stations },
    ],
    spoiled: [
      ['line endings became LF', [toLf(stations, 'timeout is 5=>timeout is 8')]],
      ['the other number changed', [edit(stations, 'takes up to 2 seconds', 'takes up to 8 seconds')]],
      [
        'a timeout put into the code',
        [...timeout, edit(stations, '"tcp://192.0.2.7:4001")', '"tcp://192.0.2.7:4001", timeout=8)')],
      ],
    ],
  }),
  buildEditTask({
    family,
    name: 'crlf-table',
    site: 'meadow',
    prompt: 'Add the model WS-400 (TCP, 12 sensors) to the table of stations.',
    title: 'Add the model WS-400',
    steps: model,
    graders: [
      { kind: 'encoding', path: stations, eol: 'crlf', bom: false },
      { kind: 'matches', path: stations, pattern: '^\\| WS-300 \\| TCP \\| 8 \\|\\n\\| WS-400 \\| TCP \\| 12 \\|$' },
    ],
    spoiled: [
      [
        'a mixed line ending',
        [
          write(
            stations,
            getText('meadow', stations).replace('| TCP | 8 |\r\n', '| TCP | 8 |\r\n| WS-400 | TCP | 12 |\n'),
          ),
        ],
      ],
      ['the table aligned', [...model, edit(stations, '| --- | --- | --- |', '| ------ | -------- | ------- |')]],
      [
        'a cell invented',
        [edit(stations, '| WS-300 | TCP | 8 |\r\n', '| WS-300 | TCP | 8 |\r\n| WS-400 | TCP, serial | 12 |\r\n')],
      ],
    ],
  }),
  buildEditTask({
    family,
    name: 'byte-order-mark',
    site: 'meadow',
    prompt: 'Temperatures are rounded to two digits after the point.',
    title: 'Correct how temperatures are rounded',
    steps: rounding,
    graders: [
      { kind: 'encoding', path: units, eol: 'crlf', bom: true },
      { kind: 'matches', path: units, pattern: 'temperatures have two digits after the point\\.(?![\\s\\S])' },
    ],
    spoiled: [
      [
        'the byte order mark lost',
        [write(units, getText('meadow', units).replace('\uFEFF', '').replace('one digit', 'two digits'))],
      ],
      ['line endings became LF', [toLf(units, 'one digit=>two digits')]],
      [
        'a newline added at the end',
        [write(units, `${getText('meadow', units).replace('one digit', 'two digits')}\r\n`)],
      ],
    ],
  }),
  buildEditTask({
    family,
    name: 'no-final-newline',
    site: 'meadow',
    prompt: 'List the README as "Read me" at the end of docs/index.md.',
    title: 'List the README in the index',
    steps: index,
    slack: 1,
    graders: [
      {
        kind: 'matches',
        path: 'docs/index.md',
        pattern: '- \\[Change log\\]\\(changelog\\.md\\)\\n- \\[Read me\\]\\(\\.\\./README\\.md\\)\\n?$',
      },
      { kind: 'linked-from', page: 'README.md', from: 'docs/index.md' },
    ],
    spoiled: [
      [
        'put first',
        [edit('docs/index.md', '- [Stations](stations.md)', '- [Read me](../README.md)\n- [Stations](stations.md)')],
      ],
      [
        'the link points elsewhere',
        [edit('docs/index.md', '- [Change log](changelog.md)', '- [Change log](changelog.md)\n- [Read me](README.md)')],
      ],
      [
        'the list sorted',
        [
          write(
            'docs/index.md',
            '# Meadow documentation\n\n- [Change log](changelog.md)\n- [Errors](errors.md)\n- [Read me](../README.md)\n- [Stations](stations.md)\n- [Units](units.md)',
          ),
        ],
      ],
    ],
  }),
  buildEditTask({
    family,
    name: 'tabs',
    site: 'meadow',
    prompt: 'StationBusy also means that another program writes to the station: "reads or writes".',
    title: 'Say that writers make a station busy, too',
    steps: errors,
    graders: [
      {
        kind: 'contains',
        path: 'docs/errors.md',
        text: '\n\tAnother program reads or writes the station.\n',
        times: 1,
      },
      { kind: 'contains', path: 'docs/errors.md', text: '\n\t', times: 3 },
    ],
    spoiled: [
      [
        'the tab became spaces',
        [
          edit(
            'docs/errors.md',
            '\tAnother program reads the station.',
            '    Another program reads or writes the station.',
          ),
        ],
      ],
      [
        'all tabs became spaces',
        [
          write(
            'docs/errors.md',
            getText('meadow', 'docs/errors.md').replace('reads the', 'reads or writes the').replaceAll('\t', '  '),
          ),
        ],
      ],
      ['an error renamed', [...errors, edit('docs/errors.md', 'StationTimeout', 'StationTimedOut')]],
    ],
  }),
  buildEditTask({
    family,
    name: 'code-stays',
    site: 'orchid',
    prompt: 'A shared link works for 90 days at most. The default is unchanged, and so are the examples.',
    title: 'Correct how long links may work',
    steps: range,
    graders: [
      { kind: 'matches', path: 'pages/api/notes.mdx', pattern: '1 to 90, default 30' },
      { kind: 'code-untouched', path: 'pages/api/notes.mdx' },
      { kind: 'contains', path: 'pages/api/notes.mdx', text: '"text": "…"', times: 1 },
    ],
    spoiled: [
      ['the ellipsis became dots', [...range, edit('pages/api/notes.mdx', '"…"', '"..."')]],
      [
        'an example extended',
        [...range, edit('pages/api/notes.mdx', 'POST /v1/notes/:id/share', 'POST /v1/notes/:id/share?days=90')],
      ],
      ['the default also changed', [edit('pages/api/notes.mdx', '1 to 365, default 30', '1 to 90, default 90')]],
    ],
  }),
]
