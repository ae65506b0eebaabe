import type { Grader } from '../task/grader.ts'
import type { Task } from '../task/task.ts'
import { buildEditTask, type EditTask } from './build-task.ts'
import { edit, write } from './steps.ts'

interface NewPage {
  readonly name: string
  readonly site: EditTask['site']
  readonly prompt: string
  readonly title: string
  readonly path: string
  readonly head: string
  readonly text: string
  /** Sentences that the page must contain word for word. */
  readonly facts: readonly string[]
  readonly navigation: {
    readonly file: string
    readonly old: string
    readonly text: string
    readonly page: string
    readonly group?: string
  }
  /** A sentence that the prompt does not contain. */
  readonly invented: string
  readonly forbidden: string
  readonly graders?: readonly Grader[]
}

/**
 * Builds a task whose prompt contains the text of a new page. The page must contain the facts and
 * be listed in the navigation.
 */
function buildPageTask(page: NewPage): Task {
  const { name, site, prompt, title, path, head, text, facts, navigation, invented, forbidden } = page
  const create = write(path, `${head}${text}`)
  const list = edit(navigation.file, navigation.old, navigation.text)
  const { file, page: entry, group } = navigation
  return buildEditTask({
    family: 'add-page',
    name,
    site,
    prompt,
    title,
    steps: [create, list],
    graders: [
      { kind: 'exists', path },
      ...facts.map((fact): Grader => ({ kind: 'contains', path, text: fact })),
      { kind: 'in-navigation', file, page: entry, ...(group === undefined ? {} : { group }) },
      { kind: 'navigation-kept', file },
      { kind: 'lacks', in: path, text: forbidden },
      ...(page.graders ?? []),
    ],
    spoiled: [
      ['the navigation overlooked', [create]],
      ['a fact left out', [write(path, `${head}${text.replace(facts.at(-1) ?? '', '')}`), list]],
      ['a fact invented', [write(path, `${head}${text}\n${invented}\n`), list]],
    ],
  })
}

export const addPageTasks: readonly Task[] = [
  buildPageTask({
    name: 'proxy',
    site: 'tidewater',
    prompt:
      'Add a page guides/proxies titled "Proxies" with the description "Reach the server through a proxy." to the group Operating, after Webhooks. Text: Workers and the command line read `HTTPS_PROXY`. Addresses in `NO_PROXY` are reached directly. The server itself needs no proxy.',
    title: 'Add a page about proxies',
    path: 'guides/proxies.mdx',
    head: '---\ntitle: Proxies\ndescription: Reach the server through a proxy.\n---\n\n',
    text: 'Workers and the command line read `HTTPS_PROXY`. Addresses in `NO_PROXY` are reached directly. The server itself needs no proxy.\n',
    facts: [
      'Workers and the command line read `HTTPS_PROXY`.',
      'Addresses in `NO_PROXY` are reached directly.',
      'The server itself needs no proxy.',
    ],
    navigation: {
      file: 'docs.json',
      old: '"guides/webhooks",',
      text: '"guides/webhooks",\n              "guides/proxies",',
      page: 'guides/proxies',
      group: 'Operating',
    },
    invented: 'SOCKS proxies work since version 2.3.',
    forbidden: 'SOCKS',
    graders: [
      {
        kind: 'front-matter',
        path: 'guides/proxies.mdx',
        keys: { title: 'Proxies', description: 'Reach the server through a proxy.' },
        only: true,
      },
    ],
  }),
  buildPageTask({
    name: 'cli-doctor',
    site: 'tidewater',
    prompt:
      'Document the command in a new page cli/doctor, title "tidewater doctor", description "Find out what is wrong with an installation.", in the group Commands as its last page. Text: `tidewater doctor` compares clocks, checks the database and reads every calendar. It ends with 0 when all is well and with 1 otherwise. Show the call in a bash block.',
    title: 'Document tidewater doctor',
    path: 'cli/doctor.mdx',
    head: '---\ntitle: tidewater doctor\ndescription: Find out what is wrong with an installation.\n---\n\n```bash\ntidewater doctor\n```\n\n',
    text: '`tidewater doctor` compares clocks, checks the database and reads every calendar. It ends with 0 when all is well and with 1 otherwise.\n',
    facts: [
      'compares clocks, checks the database and reads every calendar',
      'It ends with 0 when all is well and with 1 otherwise.',
    ],
    navigation: {
      file: 'docs.json',
      old: '"cli/login"',
      text: '"cli/login",\n              "cli/doctor"',
      page: 'cli/doctor',
      group: 'Commands',
    },
    invented: 'Use `--fix` to mend what it finds.',
    forbidden: '--fix',
    graders: [
      { kind: 'matches', path: 'cli/doctor.mdx', pattern: '^```bash\\ntidewater doctor' },
      { kind: 'front-matter', path: 'cli/doctor.mdx', keys: { title: 'tidewater doctor' } },
    ],
  }),
  buildPageTask({
    name: 'mkdocs-health',
    site: 'lantern',
    prompt:
      'Add docs/guides/health.md, heading "Health checks", listed under Guides after Upgrading as "Health checks". Text: `GET /healthz` answers 200 while the database can be reached and 503 otherwise. Load balancers should ask every 10 seconds.',
    title: 'Add a page about health checks',
    path: 'docs/guides/health.md',
    head: '# Health checks\n\n',
    text: '`GET /healthz` answers 200 while the database can be reached and 503 otherwise. Load balancers should ask every 10 seconds.\n',
    facts: [
      '`GET /healthz` answers 200 while the database can be reached and 503 otherwise.',
      'Load balancers should ask every 10 seconds.',
    ],
    navigation: {
      file: 'mkdocs.yml',
      old: '      - Upgrading: guides/upgrading.md\n',
      text: '      - Upgrading: guides/upgrading.md\n      - Health checks: guides/health.md\n',
      page: 'guides/health.md',
      group: 'Guides',
    },
    invented: 'The endpoint needs no sign-in and is not rate limited.',
    forbidden: 'rate limited',
    graders: [{ kind: 'matches', path: 'docs/guides/health.md', pattern: '^# Health checks$' }],
  }),
  buildPageTask({
    name: 'summary-nested',
    site: 'harbor',
    prompt:
      'Add src/guide/artifacts.md with the heading "Artifacts" and list it below Pipelines, beside Caching, after it. Text: Files that match `artifacts` in `harbor.toml` are kept for 30 days after the build. Download them from the page of the build.',
    title: 'Add a page about artifacts',
    path: 'src/guide/artifacts.md',
    head: '# Artifacts\n\n',
    text: 'Files that match `artifacts` in `harbor.toml` are kept for 30 days after the build. Download them from the page of the build.\n',
    facts: ['are kept for 30 days after the build', 'Download them from the page of the build.'],
    navigation: {
      file: 'src/SUMMARY.md',
      old: '  - [Caching](guide/caching.md)\n',
      text: '  - [Caching](guide/caching.md)\n  - [Artifacts](guide/artifacts.md)\n',
      page: 'guide/artifacts.md',
      group: 'Guide',
    },
    invented: 'An artifact may have up to 500 MB.',
    forbidden: '500 MB',
    graders: [
      { kind: 'matches', path: 'src/SUMMARY.md', pattern: '^ {2}- \\[Artifacts\\]\\(guide/artifacts\\.md\\)$' },
    ],
  }),
  buildPageTask({
    name: 'docusaurus-page',
    site: 'pebble',
    prompt:
      'Write docs/guides/accessibility.md, id accessibility, title Accessibility, sidebar_position 5, and put it at the end of Guides in the sidebar. Text: Every chart has a table for screen readers. Set `label` to name the chart. Keyboard users reach the points with the arrow keys.',
    title: 'Add a page about accessibility',
    path: 'docs/guides/accessibility.md',
    head: '---\nid: accessibility\ntitle: Accessibility\nsidebar_position: 5\n---\n\n',
    text: 'Every chart has a table for screen readers. Set `label` to name the chart. Keyboard users reach the points with the arrow keys.\n',
    facts: [
      'Every chart has a table for screen readers.',
      'Set `label` to name the chart.',
      'Keyboard users reach the points with the arrow keys.',
    ],
    navigation: {
      file: 'sidebars.json',
      old: '"guides/legacy-api"]',
      text: '"guides/legacy-api", "guides/accessibility"]',
      page: 'guides/accessibility',
    },
    invented: 'Pebble conforms to WCAG 2.2 AA.',
    forbidden: 'WCAG',
    graders: [
      {
        kind: 'front-matter',
        path: 'docs/guides/accessibility.md',
        keys: { id: 'accessibility', title: 'Accessibility', sidebar_position: '5' },
        only: true,
      },
    ],
  }),
  buildPageTask({
    name: 'meta-entry',
    site: 'orchid',
    prompt:
      'Add pages/guides/exporting.mdx (title "Exporting data") after Importing data in the sidebar. Text: Open the settings of a space and choose Export. You get a ZIP file with one Markdown file per note. Attachments lie in `files/`.',
    title: 'Add a page about exporting data',
    path: 'pages/guides/exporting.mdx',
    head: '---\ntitle: Exporting data\n---\n\n# Exporting data\n\n',
    text: 'Open the settings of a space and choose Export. You get a ZIP file with one Markdown file per note. Attachments lie in `files/`.\n',
    facts: [
      'Open the settings of a space and choose Export.',
      'You get a ZIP file with one Markdown file per note.',
      'Attachments lie in `files/`.',
    ],
    navigation: {
      file: 'pages/guides/_meta.json',
      old: '"importing": "Importing data",',
      text: '"importing": "Importing data",\n  "exporting": "Exporting data",',
      page: 'exporting',
    },
    invented: 'Exports are kept for 7 days.',
    forbidden: '7 days',
    graders: [
      { kind: 'front-matter', path: 'pages/guides/exporting.mdx', keys: { title: 'Exporting data' }, only: true },
    ],
  }),
]
