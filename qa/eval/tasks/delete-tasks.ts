import type { Task } from '../task/task.ts'
import { buildEditTask } from './build-task.ts'
import { edit, remove } from './steps.ts'

const family = 'delete'

const legacy = [
  remove('docs/guides/legacy-api.md'),
  edit('sidebars.json', ', "guides/legacy-api"', ''),
  edit(
    'docs/reference/options.md',
    '\nThe old options are listed in [the API of version 0](../guides/legacy-api.md).\n',
    '',
  ),
  edit('docs/reference/events.md', '\nOld names: see [version 0](../guides/legacy-api.md#events).\n', ''),
]
const migrating = [
  remove('guides/migrating-from-cron.mdx'),
  edit('docs.json', ',\n              "guides/migrating-from-cron"', ''),
  edit(
    'introduction.mdx',
    '\n<Note>\n  Coming from cron? [Moving from cron](/guides/migrating-from-cron) turns a crontab into schedules, line by line.\n</Note>\n',
    '',
  ),
]
const sso = [
  remove('docs/guides/sso.md'),
  edit('mkdocs.yml', '      - "Single sign-on": guides/sso.md\n', ''),
  edit(
    'docs/guides/install.md',
    'Next: [set up backups](backups.md) and [single sign-on](sso.md).',
    'Next: [set up backups](backups.md).',
  ),
]
const dashboards = [
  remove('guides/dashboards.mdx'),
  edit('docs.json', '"guides/dashboards", ', ''),
  edit('index.mdx', '- [Dashboards](/guides/dashboards)\n', ''),
]
const glossary = [
  remove('src/reference/glossary.md'),
  edit('src/SUMMARY.md', '- [Glossary](reference/glossary.md)\n', ''),
]
const units = [remove('docs/units.md'), edit('docs/index.md', '- [Units](units.md)\n', '')]

/** Tasks that delete a page and all references to it. */
export const deleteTasks: readonly Task[] = [
  buildEditTask({
    family,
    name: 'legacy-api',
    site: 'pebble',
    prompt:
      'Version 0 is out of support. Delete the page guides/legacy-api, its entry in the sidebar and the sentences that point to it.',
    title: 'Delete the page about version 0',
    steps: legacy,
    slack: 1,
    graders: [
      { kind: 'missing', path: 'docs/guides/legacy-api.md' },
      { kind: 'not-in-navigation', file: 'sidebars.json', page: 'guides/legacy-api' },
      { kind: 'navigation-kept', file: 'sidebars.json' },
      { kind: 'no-links-to', page: 'docs/guides/legacy-api.md' },
      { kind: 'lacks', in: 'docs/**/*.md', text: 'version 0' },
      { kind: 'contains', path: 'docs/reference/events.md', text: 'somebody clicked a point', times: 1 },
    ],
    spoiled: [
      ['a link left behind', legacy.slice(0, 3)],
      ['the sidebar overlooked', legacy.toSpliced(1, 1)],
      ['a neighboring entry also deleted', [...legacy, edit('sidebars.json', '"guides/export"', '"guides/charts"')]],
    ],
  }),
  buildEditTask({
    family,
    name: 'migrating-from-cron',
    site: 'tidewater',
    prompt: 'Delete the page guides/migrating-from-cron and the note in the introduction that advertises it.',
    title: 'Delete the page about moving from cron',
    steps: migrating,
    slack: 1,
    graders: [
      { kind: 'missing', path: 'guides/migrating-from-cron.mdx' },
      { kind: 'not-in-navigation', file: 'docs.json', page: 'guides/migrating-from-cron' },
      { kind: 'navigation-kept', file: 'docs.json' },
      { kind: 'no-links-to', page: 'guides/migrating-from-cron.mdx' },
      { kind: 'lacks', in: 'introduction.mdx', text: 'Coming from cron' },
    ],
    spoiled: [
      ['the note left in place', migrating.slice(0, 2)],
      [
        'docs.json no longer parses',
        [
          remove('guides/migrating-from-cron.mdx'),
          edit('docs.json', '"guides/migrating-from-cron"', ''),
          ...migrating.slice(2),
        ],
      ],
      [
        'only the link removed',
        [
          ...migrating.slice(0, 2),
          edit('introduction.mdx', '[Moving from cron](/guides/migrating-from-cron)', 'Moving from cron'),
        ],
      ],
    ],
  }),
  buildEditTask({
    family,
    name: 'nav-with-tags',
    site: 'lantern',
    prompt:
      'Single sign-on moved to another product. Delete docs/guides/sso.md and everything that leads to it. No redirect.',
    title: 'Delete the page about single sign-on',
    steps: sso,
    graders: [
      { kind: 'missing', path: 'docs/guides/sso.md' },
      { kind: 'not-in-navigation', file: 'mkdocs.yml', page: 'guides/sso.md' },
      { kind: 'navigation-kept', file: 'mkdocs.yml' },
      { kind: 'no-links-to', page: 'docs/guides/sso.md' },
      { kind: 'linked-from', page: 'docs/guides/backups.md', from: 'docs/guides/install.md' },
      { kind: 'contains', path: 'mkdocs.yml', text: '!!python/name:material', times: 1 },
    ],
    spoiled: [
      ['the navigation overlooked', sso.toSpliced(1, 1)],
      [
        'the sentence about backups lost',
        [
          ...sso.slice(0, 2),
          edit('docs/guides/install.md', '\nNext: [set up backups](backups.md) and [single sign-on](sso.md).\n', ''),
        ],
      ],
      [
        'quotes elsewhere normalized',
        [...sso, edit('mkdocs.yml', "'https://lantern.example.org/'", '"https://lantern.example.org/"')],
      ],
    ],
  }),
  buildEditTask({
    family,
    name: 'dashboards',
    site: 'kestrel',
    prompt: 'Dashboards are gone from the product. Remove guides/dashboards and its traces in the English pages.',
    title: 'Remove the page about dashboards',
    steps: dashboards,
    graders: [
      { kind: 'missing', path: 'guides/dashboards.mdx' },
      { kind: 'not-in-navigation', file: 'docs.json', page: 'guides/dashboards' },
      { kind: 'navigation-kept', file: 'docs.json' },
      { kind: 'no-links-to', page: 'guides/dashboards.mdx' },
      { kind: 'lacks', in: 'index.mdx', text: 'Dashboards' },
      { kind: 'untouched', in: 'es/**' },
    ],
    spoiled: [
      ['the list item left in place', dashboards.slice(0, 2)],
      ['the navigation overlooked', dashboards.toSpliced(1, 1)],
      [
        'the page emptied, not deleted',
        [
          edit(
            'guides/dashboards.mdx',
            'A dashboard has up to 24 panels. Each panel shows one [query](/reference/query).\n\nShare a dashboard by its address; people need the role `reader`.\n',
            '',
          ),
          ...dashboards.slice(1),
        ],
      ],
    ],
  }),
  buildEditTask({
    family,
    name: 'summary-entry',
    site: 'harbor',
    prompt: 'Delete the glossary. Nothing else links to it.',
    title: 'Delete the glossary',
    steps: glossary,
    graders: [
      { kind: 'missing', path: 'src/reference/glossary.md' },
      { kind: 'not-in-navigation', file: 'src/SUMMARY.md', page: 'reference/glossary.md' },
      { kind: 'navigation-kept', file: 'src/SUMMARY.md' },
    ],
    spoiled: [
      ['the summary overlooked', glossary.slice(0, 1)],
      ['the file left in place', glossary.slice(1)],
      ['another entry also deleted', [...glossary, edit('src/SUMMARY.md', '- [Runners](reference/runners.md)\n', '')]],
    ],
  }),
  buildEditTask({
    family,
    name: 'plain-index',
    site: 'meadow',
    prompt: 'Delete docs/units.md and its line in the index.',
    title: 'Delete the page about units',
    steps: units,
    graders: [
      { kind: 'missing', path: 'docs/units.md' },
      { kind: 'no-links-to', page: 'docs/units.md' },
      {
        kind: 'contains',
        path: 'docs/index.md',
        text: '- [Stations](stations.md)\n- [Errors](errors.md)\n- [Change log](changelog.md)',
        times: 1,
      },
    ],
    spoiled: [
      ['the index overlooked', units.slice(0, 1)],
      ['the index lost a second line', [...units, edit('docs/index.md', '- [Errors](errors.md)\n', '')]],
      ['an empty bullet left', [remove('docs/units.md'), edit('docs/index.md', '- [Units](units.md)\n', '- Units\n')]],
    ],
  }),
]
