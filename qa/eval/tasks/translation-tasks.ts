import type { Task } from '../task/task.ts'
import { buildEditTask } from './build-task.ts'
import { edit, move } from './steps.ts'

const family = 'translations'
const de = 'i18n/de/docusaurus-plugin-content-docs/current'

const size = [edit('docs/intro.md', 'weighs 18 kB', 'weighs 21 kB')]
const themes = [
  edit(
    'docs/guides/themes.md',
    'Pebble has two: `light` and `dark`.',
    'Pebble has three: `light`, `dark` and `print`.',
  ),
]
const interval = [edit('guides/alerts.mdx', 'every 30 seconds', 'every 20 seconds')]
const german = [edit(`${de}/intro.md`, 'wiegt 18 kB', 'wiegt 21 kB')]
const spanish = [edit('es/guides/alerts.mdx', 'cada 30 segundos', 'cada 20 segundos')]
const alerts = [
  move('guides/alerts.mdx', 'guides/alerting.mdx'),
  edit('docs.json', '"guides/alerts", ', '"guides/alerting", '),
  edit(
    'docs.json',
    '"destination": "/guides/on-call" }',
    '"destination": "/guides/on-call" },\n\t\t{ "source": "/guides/alerts", "destination": "/guides/alerting" }',
  ),
  edit('index.mdx', '(/guides/alerts)', '(/guides/alerting)'),
  edit('guides/on-call.mdx', '(/guides/alerts)', '(/guides/alerting)'),
]

/** Tasks where translations must stay unchanged unless the request is about them. */
export const translationTasks: readonly Task[] = [
  buildEditTask({
    family,
    name: 'source-only',
    site: 'pebble',
    prompt: 'Pebble weighs 21 kB by now. Update the introduction.',
    title: 'Update the size of the package',
    steps: size,
    graders: [
      { kind: 'contains', path: 'docs/intro.md', text: '21 kB', times: 1 },
      { kind: 'untouched', in: 'i18n/**' },
    ],
    spoiled: [
      ['the translation also changed', [...size, ...german]],
      ['only the translation changed', german],
      ['a unit changed', [edit('docs/intro.md', 'weighs 18 kB', 'weighs 21 KiB')]],
    ],
  }),
  buildEditTask({
    family,
    name: 'third-theme',
    site: 'pebble',
    prompt: 'There is a third theme, `print`. Name it in the English guide about themes.',
    title: 'Name the theme print',
    steps: themes,
    graders: [
      { kind: 'matches', path: 'docs/guides/themes.md', pattern: 'Pebble has three: `light`, `dark`,? and `print`\\.' },
      { kind: 'untouched', in: 'i18n/**' },
      { kind: 'code-untouched', path: 'docs/guides/themes.md' },
    ],
    spoiled: [
      [
        'the translation also changed',
        [
          ...themes,
          edit(`${de}/guides/themes.md`, 'hat zwei: `light` und `dark`', 'hat drei: `light`, `dark` und `print`'),
        ],
      ],
      ['the count overlooked', [edit('docs/guides/themes.md', '`light` and `dark`.', '`light`, `dark` and `print`.')]],
      ['the example changed', [...themes, edit('docs/guides/themes.md', "theme: 'dark'", "theme: 'print'")]],
    ],
  }),
  buildEditTask({
    family,
    name: 'interval',
    site: 'kestrel',
    prompt: 'Alerts are evaluated every 20 seconds. Change the English page; the translators follow later.',
    title: 'Correct how often alerts are evaluated',
    steps: interval,
    graders: [
      { kind: 'contains', path: 'guides/alerts.mdx', text: 'every 20 seconds', times: 1 },
      { kind: 'untouched', in: 'es/**' },
    ],
    spoiled: [
      ['the translation also changed', [...interval, ...spanish]],
      ['the example changed', [...interval, edit('guides/alerts.mdx', 'for: 10m', 'for: 20s')]],
      ['only the translation changed', spanish],
    ],
  }),
  buildEditTask({
    family,
    name: 'asked-for',
    site: 'kestrel',
    prompt:
      'In the Spanish page about alerts it must be 20 segundos. The English page was corrected elsewhere: leave it.',
    title: 'Correct the Spanish page about alerts',
    steps: spanish,
    graders: [
      {
        kind: 'contains',
        path: 'es/guides/alerts.mdx',
        text: 'Kestrel evalúa las alertas cada 20 segundos.',
        times: 1,
      },
      { kind: 'untouched', in: 'guides/**' },
    ],
    spoiled: [
      ['the English page also changed', [...spanish, ...interval]],
      ['the wrong page changed', interval],
      [
        'the words also changed',
        [edit('es/guides/alerts.mdx', 'evalúa las alertas cada 30 segundos', 'revisa las alertas cada 20 segundos')],
      ],
    ],
  }),
  buildEditTask({
    family,
    name: 'move-keeps-locale',
    site: 'kestrel',
    prompt:
      'Move the English page guides/alerts to guides/alerting, with a redirect. The Spanish page keeps its address.',
    title: 'Move the English page about alerts',
    steps: alerts,
    graders: [
      { kind: 'moved', path: 'guides/alerts.mdx', to: 'guides/alerting.mdx' },
      { kind: 'in-navigation', file: 'docs.json', page: 'guides/alerting', group: 'Guides' },
      { kind: 'in-navigation', file: 'docs.json', page: 'es/guides/alerts', group: 'Guías' },
      { kind: 'redirect', file: 'docs.json', from: '/guides/alerts', to: '/guides/alerting' },
      { kind: 'linked-from', page: 'guides/alerting.mdx', from: 'guides/on-call.mdx' },
      { kind: 'linked-from', page: 'guides/alerting.mdx', from: 'index.mdx' },
      { kind: 'untouched', in: 'es/**' },
    ],
    spoiled: [
      [
        'the translation also moved',
        [
          ...alerts,
          move('es/guides/alerts.mdx', 'es/guides/alerting.mdx'),
          edit('docs.json', '"es/guides/alerts"', '"es/guides/alerting"'),
          edit('es/index.mdx', '(/es/guides/alerts)', '(/es/guides/alerting)'),
        ],
      ],
      ['no redirect', alerts.toSpliced(2, 1)],
      ['one link overlooked', alerts.slice(0, -1)],
    ],
  }),
  buildEditTask({
    family,
    name: 'german-only',
    site: 'pebble',
    prompt: 'The German introduction should say 21 kB as well (docs/intro.md is done in another pull request).',
    title: 'Update the German introduction',
    steps: german,
    graders: [
      { kind: 'contains', path: `${de}/intro.md`, text: 'wiegt 21 kB', times: 1 },
      { kind: 'untouched', in: 'docs/**' },
    ],
    spoiled: [
      ['the English page also changed', [...german, ...size]],
      ['the title also changed', [...german, edit(`${de}/intro.md`, 'title: Einführung', 'title: Einleitung')]],
      ['translated into English', [edit(`${de}/intro.md`, 'und wiegt 18 kB', 'and weighs 21 kB')]],
    ],
  }),
]
