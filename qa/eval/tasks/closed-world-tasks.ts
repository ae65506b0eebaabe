import type { Task } from '../task/task.ts'
import { buildEditTask } from './build-task.ts'
import { edit, reflow } from './steps.ts'

const family = 'closed-world'
const exitCode = [
  edit(
    'cli/exit-codes.mdx',
    '| 130 | you pressed Ctrl-C |',
    '| 7 | the server is in maintenance |\n| 130 | you pressed Ctrl-C |',
  ),
]
const cursor = [edit('api/pagination.mdx', 'Cursors are good for an hour.', 'Cursors are good for a day.')]
const retention = [
  edit('docs/guides/backups.md', 'Retention is 14 days', 'Retention is 30 days'),
  edit('docs/guides/backups.md', '| `backup.keep` | 14 |', '| `backup.keep` | 30 |'),
]
const log = [
  edit(
    'docs/reference/configuration.md',
    '`error`, `warn`, `info` or `debug`. Default `info`.',
    '`error`, `warn`, `info`, `debug` or `trace`. Default `info`.',
  ),
]

/** Small, typical maintenance edits. Every fact is in the prompt or in the repository. */
export const closedWorldTasks: readonly Task[] = [
  buildEditTask({
    family,
    name: 'exit-code-row',
    site: 'tidewater',
    prompt:
      'The command line now ends with 7 while "the server is in maintenance". Add that to the table of exit codes, in numeric order.',
    title: 'Add exit code 7',
    steps: exitCode,
    graders: [
      {
        kind: 'matches',
        path: 'cli/exit-codes.mdx',
        pattern: '^\\| 6 \\|.*\\n\\| 7 \\| the server is in maintenance \\|\\n\\| 130 \\|',
      },
    ],
    spoiled: [
      [
        'added at the end',
        [
          edit(
            'cli/exit-codes.mdx',
            '| 130 | you pressed Ctrl-C |',
            '| 130 | you pressed Ctrl-C |\n| 7 | the server is in maintenance |',
          ),
        ],
      ],
      [
        'the script also changed',
        [...exitCode, edit('cli/exit-codes.mdx', '  *) echo', '  7) echo "maintenance" ;;\n  *) echo')],
      ],
      ['the table realigned', [...exitCode, edit('cli/exit-codes.mdx', '| 0 | done;', '| 0   | done;')]],
    ],
  }),
  buildEditTask({
    family,
    name: 'cursor-lifetime',
    site: 'tidewater',
    prompt: 'Cursors of the API are good for a day now, no longer for an hour.',
    title: 'Say that cursors are good for a day',
    steps: cursor,
    graders: [
      { kind: 'matches', path: 'api/pagination.mdx', pattern: 'Cursors are (good|valid) for (a|one) day' },
      { kind: 'lacks', in: 'api/pagination.mdx', text: 'for an hour' },
      { kind: 'contains', path: 'api/pagination.mdx', text: 'Do not store them', times: 1 },
    ],
    spoiled: [
      [
        'the warning dropped',
        [
          edit(
            'api/pagination.mdx',
            'Cursors are good for an hour. Do not store them, and do not read anything out of them.',
            'Cursors are good for a day.',
          ),
        ],
      ],
      [
        'a release note invented',
        [...cursor, edit('changelog/releases.mdx', '## 2.4', '## 2.4\n\n- Cursors are good for a day.')],
      ],
      ['a paragraph reflowed', reflow('tidewater', cursor, 'api/pagination.mdx')],
    ],
  }),
  buildEditTask({
    family,
    name: 'retention-twice',
    site: 'lantern',
    prompt: 'Backups are kept for 30 days by default since version 3.2; the docs still say 14. Correct it everywhere.',
    title: 'Correct the retention of backups',
    steps: retention,
    graders: [
      { kind: 'matches', path: 'docs/guides/backups.md', pattern: 'Retention is 30 days' },
      {
        kind: 'matches',
        path: 'docs/guides/backups.md',
        pattern: '^\\| `backup\\.keep` \\| 30 \\| days that a backup is kept \\|$',
      },
      { kind: 'count', in: 'docs/**/*.md', text: '14', is: 0 },
    ],
    spoiled: [
      ['the table overlooked', retention.slice(0, 1)],
      ['the sentence overlooked', retention.slice(1)],
      [
        'another default also changed',
        [
          ...retention,
          edit('docs/guides/backups.md', '| `backup.target` | none |', '| `backup.target` | `/var/backups` |'),
        ],
      ],
    ],
  }),
  buildEditTask({
    family,
    name: 'log-level',
    site: 'lantern',
    prompt: 'log.level also takes `trace`, below debug. The default stays.',
    title: 'Add the log level trace',
    steps: log,
    graders: [
      {
        kind: 'matches',
        path: 'docs/reference/configuration.md',
        pattern: '^`error`, `warn`, `info`, `debug`,? or `trace`\\. Default `info`\\.$',
      },
    ],
    spoiled: [
      [
        'the default changed',
        [
          edit(
            'docs/reference/configuration.md',
            '`info` or `debug`. Default `info`.',
            '`info`, `debug` or `trace`. Default `trace`.',
          ),
        ],
      ],
      [
        'a level lost',
        [
          edit(
            'docs/reference/configuration.md',
            '`info` or `debug`. Default `info`.',
            '`info` or `trace`. Default `info`.',
          ),
        ],
      ],
      [
        'another section also changed',
        [...log, edit('docs/reference/configuration.md', 'Default `10GB`.', 'Default `10 GB`.')],
      ],
    ],
  }),
]
