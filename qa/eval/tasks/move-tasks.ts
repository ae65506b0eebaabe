import type { Task } from '../task/task.ts'
import { buildEditTask, getText } from './build-task.ts'
import { edit, move, write } from './steps.ts'

const family = 'move'

const timeZones = [
  move('guides/time-zones.mdx', 'concepts/time-zones.mdx'),
  edit('docs.json', '"guides/time-zones"', '"concepts/time-zones"'),
  edit('api/schedules.mdx', '(/guides/time-zones)', '(/concepts/time-zones)'),
]
const connection = [
  move('troubleshooting/connection.mdx', 'troubleshooting/network.mdx'),
  edit('docs.json', '"troubleshooting/connection"', '"troubleshooting/network"'),
  edit('troubleshooting/overview.mdx', 'href="/troubleshooting/connection"', 'href="/troubleshooting/network"'),
]
const backups = [
  move('docs/guides/backups.md', 'docs/guides/backup-and-restore.md'),
  edit('mkdocs.yml', 'Backups: guides/backups.md', 'Backups: guides/backup-and-restore.md'),
  edit(
    'mkdocs.yml',
    "'guides/setup.md': 'guides/install.md'",
    "'guides/setup.md': 'guides/install.md'\n        'guides/backups.md': 'guides/backup-and-restore.md'",
  ),
  edit('docs/index.md', '(guides/backups.md)', '(guides/backup-and-restore.md)'),
  edit('docs/guides/install.md', '(backups.md)', '(backup-and-restore.md)'),
  edit('docs/guides/upgrading.md', '(backups.md)', '(backup-and-restore.md)'),
]
const caching = [
  move('src/guide/caching.md', 'src/reference/caching.md'),
  edit('src/SUMMARY.md', '  - [Caching](guide/caching.md)\n', ''),
  edit(
    'src/SUMMARY.md',
    '- [Runners](reference/runners.md)\n',
    '- [Runners](reference/runners.md)\n- [Caching](reference/caching.md)\n',
  ),
  edit('src/guide/getting-started.md', '(caching.md)', '(../reference/caching.md)'),
  edit('src/reference/glossary.md', '(../guide/caching.md)', '(caching.md)'),
]
const onCall = [
  move('guides/on-call.mdx', 'guides/rotations.mdx'),
  edit('docs.json', '"guides/on-call"]', '"guides/rotations"]'),
  edit(
    'docs.json',
    '"destination": "/guides/on-call" }',
    '"destination": "/guides/rotations" },\n\t\t{ "source": "/guides/on-call", "destination": "/guides/rotations" }',
  ),
  edit('index.mdx', '(/guides/on-call)', '(/guides/rotations)'),
  edit('guides/alerts.mdx', '(/guides/on-call)', '(/guides/rotations)'),
]
const sharing = [
  move('pages/guides/sharing.mdx', 'pages/guides/share-notes.mdx'),
  edit('pages/guides/_meta.json', '"sharing": "Sharing"', '"share-notes": "Sharing"'),
  edit('pages/guides/quickstart.mdx', '(/guides/sharing)', '(/guides/share-notes)'),
]
const exportPage = [
  move('docs/guides/export.md', 'docs/guides/pictures.md'),
  edit('sidebars.json', '"guides/export"', '"guides/pictures"'),
  edit('docs/guides/pictures.md', 'id: export', 'id: pictures'),
  edit('docs/guides/charts.md', '(./export.md)', '(./pictures.md)'),
]

/** Tasks that change a page's path. Navigation, links and redirects must be updated. */
export const moveTasks: readonly Task[] = [
  buildEditTask({
    family,
    name: 'time-zones',
    site: 'tidewater',
    prompt:
      'Move the page guides/time-zones to concepts/time-zones. Keep it at the same place in the navigation and mend what links to it.',
    title: 'Move Time zones to concepts/',
    steps: timeZones,
    graders: [
      { kind: 'moved', path: 'guides/time-zones.mdx', to: 'concepts/time-zones.mdx' },
      { kind: 'in-navigation', file: 'docs.json', page: 'concepts/time-zones', group: 'Scheduling' },
      { kind: 'not-in-navigation', file: 'docs.json', page: 'guides/time-zones' },
      { kind: 'navigation-kept', file: 'docs.json' },
      { kind: 'no-links-to', page: 'guides/time-zones.mdx' },
      { kind: 'linked-from', page: 'concepts/time-zones.mdx', from: 'api/schedules.mdx' },
    ],
    spoiled: [
      ['the navigation overlooked', timeZones.toSpliced(1, 1)],
      ['the link overlooked', timeZones.slice(0, 2)],
      [
        'the page shortened during the move',
        [
          ...timeZones,
          write('concepts/time-zones.mdx', getText('tidewater', 'guides/time-zones.mdx').split('## When')[0] ?? ''),
        ],
      ],
    ],
  }),
  buildEditTask({
    family,
    name: 'connection',
    site: 'tidewater',
    prompt: 'Rename the page troubleshooting/connection to troubleshooting/network. Its title stays.',
    title: 'Rename troubleshooting/connection to network',
    steps: connection,
    graders: [
      { kind: 'moved', path: 'troubleshooting/connection.mdx', to: 'troubleshooting/network.mdx' },
      { kind: 'in-navigation', file: 'docs.json', page: 'troubleshooting/network', group: 'Troubleshooting' },
      { kind: 'no-links-to', page: 'troubleshooting/connection.mdx' },
      { kind: 'linked-from', page: 'troubleshooting/network.mdx', from: 'troubleshooting/overview.mdx' },
      { kind: 'front-matter', path: 'troubleshooting/network.mdx', keys: { title: 'Nothing connects' } },
    ],
    spoiled: [
      ['the card overlooked', connection.slice(0, 2)],
      [
        'copied, not moved',
        [
          write('troubleshooting/network.mdx', getText('tidewater', 'troubleshooting/connection.mdx')),
          ...connection.slice(1),
        ],
      ],
      [
        'the title changed',
        [...connection, edit('troubleshooting/network.mdx', 'title: Nothing connects', 'title: Network')],
      ],
    ],
  }),
  buildEditTask({
    family,
    name: 'with-redirect',
    site: 'lantern',
    prompt: 'Rename docs/guides/backups.md to docs/guides/backup-and-restore.md. Follow CONTRIBUTING.md.',
    title: 'Rename the page about backups',
    steps: backups,
    graders: [
      { kind: 'moved', path: 'docs/guides/backups.md', to: 'docs/guides/backup-and-restore.md' },
      { kind: 'in-navigation', file: 'mkdocs.yml', page: 'guides/backup-and-restore.md', group: 'Guides' },
      { kind: 'redirect', file: 'mkdocs.yml', from: 'guides/backups.md', to: 'guides/backup-and-restore.md' },
      { kind: 'redirect', file: 'mkdocs.yml', from: 'guides/setup.md', to: 'guides/install.md' },
      { kind: 'contains', path: 'mkdocs.yml', text: '!ENV [SITE_URL', times: 1 },
      { kind: 'contains', path: 'mkdocs.yml', text: '# The address is set by the pipeline.', times: 1 },
      { kind: 'no-links-to', page: 'docs/guides/backups.md' },
      { kind: 'linked-from', page: 'docs/guides/backup-and-restore.md', from: 'docs/guides/upgrading.md' },
    ],
    spoiled: [
      ['no redirect', backups.toSpliced(2, 1)],
      ['one link overlooked', backups.slice(0, -1)],
      [
        'a comment in the configuration lost',
        [...backups, edit('mkdocs.yml', '# The address is set by the pipeline.\n', '')],
      ],
    ],
  }),
  buildEditTask({
    family,
    name: 'to-another-part',
    site: 'harbor',
    prompt:
      'Caching belongs into the reference: move src/guide/caching.md to src/reference/caching.md and list it after Runners.',
    title: 'Move Caching into the reference',
    steps: caching,
    graders: [
      { kind: 'moved', path: 'src/guide/caching.md', to: 'src/reference/caching.md' },
      { kind: 'in-navigation', file: 'src/SUMMARY.md', page: 'reference/caching.md', group: 'Reference' },
      { kind: 'not-in-navigation', file: 'src/SUMMARY.md', page: 'guide/caching.md' },
      { kind: 'matches', path: 'src/SUMMARY.md', pattern: 'runners\\.md\\)\\n- \\[Caching\\]' },
      { kind: 'no-links-to', page: 'src/guide/caching.md' },
      { kind: 'linked-from', page: 'src/reference/caching.md', from: 'src/guide/getting-started.md' },
      { kind: 'linked-from', page: 'src/reference/caching.md', from: 'src/reference/glossary.md' },
    ],
    spoiled: [
      [
        'still listed in the guide',
        [
          caching[0],
          caching[3],
          caching[4],
          edit('src/SUMMARY.md', '(guide/caching.md)', '(reference/caching.md)'),
        ].filter((step) => step !== undefined),
      ],
      ['a relative link overlooked', caching.slice(0, 4)],
      [
        'listed at the end',
        [
          ...caching.slice(0, 2),
          edit(
            'src/SUMMARY.md',
            '- [Glossary](reference/glossary.md)\n',
            '- [Glossary](reference/glossary.md)\n- [Caching](reference/caching.md)\n',
          ),
          ...caching.slice(3),
        ],
      ],
    ],
  }),
  buildEditTask({
    family,
    name: 'redirects-in-use',
    site: 'kestrel',
    prompt: 'The page guides/on-call moves to guides/rotations. Old addresses must go on working.',
    title: 'Move On-call to guides/rotations',
    steps: onCall,
    graders: [
      { kind: 'moved', path: 'guides/on-call.mdx', to: 'guides/rotations.mdx' },
      { kind: 'in-navigation', file: 'docs.json', page: 'guides/rotations', group: 'Guides' },
      { kind: 'redirect', file: 'docs.json', from: '/guides/on-call', to: '/guides/rotations' },
      { kind: 'redirect', file: 'docs.json', from: '/guides/pager', to: '/guides/rotations' },
      { kind: 'no-links-to', page: 'guides/on-call.mdx' },
      { kind: 'linked-from', page: 'guides/rotations.mdx', from: 'guides/alerts.mdx' },
      { kind: 'untouched', in: 'es/**' },
      { kind: 'matches', path: 'docs.json', pattern: '^\\t"navigation"' },
    ],
    spoiled: [
      [
        'no redirect',
        onCall.toSpliced(
          2,
          1,
          edit('docs.json', '"destination": "/guides/on-call"', '"destination": "/guides/rotations"'),
        ),
      ],
      [
        'the old redirect broken',
        onCall.toSpliced(
          2,
          1,
          edit(
            'docs.json',
            '"destination": "/guides/on-call" }',
            '"destination": "/guides/on-call" },\n\t\t{ "source": "/guides/on-call", "destination": "/guides/rotations" }',
          ),
        ),
      ],
      [
        'docs.json rewritten',
        [
          ...onCall,
          write(
            'docs.json',
            `${JSON.stringify(JSON.parse(getText('kestrel', 'docs.json').replaceAll('guides/on-call', 'guides/rotations')), null, 2)}\n`,
          ),
        ],
      ],
    ],
  }),
  buildEditTask({
    family,
    name: 'meta-file',
    site: 'orchid',
    prompt: 'Rename the page guides/sharing to guides/share-notes; what the sidebar shows stays "Sharing".',
    title: 'Rename guides/sharing to share-notes',
    steps: sharing,
    graders: [
      { kind: 'moved', path: 'pages/guides/sharing.mdx', to: 'pages/guides/share-notes.mdx' },
      { kind: 'in-navigation', file: 'pages/guides/_meta.json', page: 'share-notes' },
      { kind: 'not-in-navigation', file: 'pages/guides/_meta.json', page: 'sharing' },
      { kind: 'contains', path: 'pages/guides/_meta.json', text: '"Sharing"', times: 1 },
      { kind: 'no-links-to', page: 'pages/guides/sharing.mdx' },
    ],
    spoiled: [
      ['_meta.json overlooked', sharing.toSpliced(1, 1)],
      [
        'the label also changed',
        sharing.toSpliced(
          1,
          1,
          edit('pages/guides/_meta.json', '"sharing": "Sharing"', '"share-notes": "Share notes"'),
        ),
      ],
      ['the link overlooked', sharing.slice(0, 2)],
    ],
  }),
  buildEditTask({
    family,
    name: 'docusaurus-id',
    site: 'pebble',
    prompt: 'Rename docs/guides/export.md to docs/guides/pictures.md, its id to pictures, and keep the title.',
    title: 'Rename the export guide to pictures',
    steps: exportPage,
    graders: [
      { kind: 'moved', path: 'docs/guides/export.md', to: 'docs/guides/pictures.md', keeps: 0.8 },
      {
        kind: 'front-matter',
        path: 'docs/guides/pictures.md',
        keys: { id: 'pictures', title: 'Export', sidebar_position: '3' },
        only: true,
      },
      { kind: 'in-navigation', file: 'sidebars.json', page: 'guides/pictures' },
      { kind: 'not-in-navigation', file: 'sidebars.json', page: 'guides/export' },
      { kind: 'no-links-to', page: 'docs/guides/export.md' },
    ],
    spoiled: [
      ['the sidebar overlooked', exportPage.toSpliced(1, 1)],
      ['the id kept', exportPage.toSpliced(2, 1)],
      ['the link overlooked', exportPage.slice(0, 3)],
    ],
  }),
]
