// Code structure: the imports allowed between packages, and between the folders of a package. Every
// allowed import is listed here. Any other import fails the check. Test files are excluded.

/** Packages that each package may import. */
const PACKAGES = {
  'packages/contracts': [],
  'packages/embedded-postgres': [],
  'packages/client': [],
  'packages/egress': [],
  'packages/git': ['packages/egress'],
  'packages/demo': ['packages/contracts'],
  'packages/core': ['packages/contracts'],
  'packages/site': ['packages/contracts', 'packages/git'],
  'packages/agent': ['packages/contracts', 'packages/git', 'packages/site'],
  'packages/testkit': ['packages/demo', 'packages/embedded-postgres'],
  'apps/dashboard': ['packages/contracts'],
  'apps/api': ['packages/contracts', 'packages/core', 'packages/egress'],
  'apps/worker': [
    'packages/agent',
    'packages/contracts',
    'packages/core',
    'packages/egress',
    'packages/git',
    'packages/site',
  ],
  'apps/cli': [
    'apps/api',
    'apps/worker',
    'packages/client',
    'packages/contracts',
    'packages/core',
    'packages/demo',
    'packages/egress',
    'packages/embedded-postgres',
  ],
}

/** Folders of core that an app must not import, even though it may import core. */
const HIDDEN = {
  'apps/api': ['packages/core/src/leases', 'packages/core/src/runs', 'packages/core/src/takeovers'],
  'apps/worker': ['packages/core/src/accounts', 'packages/core/src/keys'],
}

/**
 * Folders below `src` that each folder may import. Files directly in `src` wire the folders
 * together. They may import every folder, but no folder may import them.
 */
const FOLDERS = {
  'packages/git': {
    text: [],
    workspace: [],
    objects: ['workspace'],
    http: ['objects'],
    mirror: ['http', 'objects', 'workspace'],
    snapshot: ['http', 'mirror', 'objects', 'workspace'],
    'work-tree': ['http', 'objects', 'snapshot', 'text', 'workspace'],
    commit: ['http', 'objects', 'snapshot', 'work-tree', 'workspace'],
  },
  'packages/site': {
    pages: [],
    config: ['pages'],
    frameworks: ['config', 'pages'],
    edit: ['config', 'frameworks', 'pages'],
    'frameworks/*': ['config', 'edit', 'frameworks', 'pages'],
    links: ['frameworks', 'pages'],
    sites: ['config', 'frameworks', 'frameworks/*', 'pages'],
    references: ['config', 'frameworks', 'links', 'pages'],
    move: ['config', 'edit', 'frameworks', 'links', 'pages', 'references', 'sites', 'thread'],
    vue: ['pages'],
    executable: ['frameworks', 'pages', 'sites', 'vue'],
    thread: ['pages', 'vue'],
    checks: ['config', 'frameworks', 'links', 'pages', 'references', 'sites', 'thread'],
    lint: ['checks', 'pages', 'thread'],
  },
  'packages/agent': {
    model: [],
    policy: [],
    sources: [],
    leaks: ['policy'],
    tools: ['leaks', 'policy', 'sources'],
    loop: ['leaks', 'model', 'policy', 'sources', 'tools'],
  },
  'packages/core': {
    base: [],
    'hook-addresses': ['base'],
    sealing: ['base'],
    db: ['base'],
    'webhook-events': ['base', 'db'],
    audit: ['base', 'db', 'webhook-events'],
    instance: ['audit', 'base', 'db', 'sealing'],
    backup: ['db', 'instance'],
    runtime: ['base', 'hook-addresses'],
    tracing: ['runtime'],
    leases: ['base', 'db', 'runtime'],
    queue: ['base', 'db', 'runtime'],
    workers: ['db'],
    'job-record': ['base', 'db'],
    budgets: ['base', 'db', 'webhook-events'],
    projects: ['audit', 'base', 'budgets', 'db', 'hook-addresses', 'sealing'],
    keys: ['audit', 'base', 'db', 'job-record', 'projects', 'runtime'],
    accounts: ['audit', 'base', 'db', 'keys'],
    credentials: ['audit', 'base', 'db', 'projects', 'sealing'],
    webhooks: ['audit', 'base', 'db', 'hook-addresses', 'job-record', 'leases', 'sealing', 'webhook-events'],
    'connection-checks': ['audit', 'base', 'db', 'leases', 'projects', 'sealing'],
    deployments: ['audit', 'base', 'db', 'job-record', 'leases', 'projects', 'sealing', 'webhook-events', 'webhooks'],
    'pull-requests': ['db', 'job-record', 'leases', 'webhooks'],
    retention: ['db', 'job-record'],
    metrics: ['db'],
    'saved-prompts': ['audit', 'base', 'db'],
    usage: ['db'],
    runs: ['base', 'budgets', 'db', 'job-record', 'leases', 'projects', 'queue', 'runtime', 'tracing', 'webhooks'],
    takeovers: ['db', 'queue', 'runs', 'runtime'],
    jobs: [
      'audit',
      'base',
      'budgets',
      'db',
      'job-record',
      'projects',
      'queue',
      'runs',
      'runtime',
      'tracing',
      'webhooks',
      'workers',
    ],
    ops: [
      'audit',
      'base',
      'budgets',
      'credentials',
      'db',
      'instance',
      'jobs',
      'projects',
      'queue',
      'sealing',
      'workers',
    ],
  },
  'packages/demo': {
    'git-host/host': [],
    'git-host/git': ['git-host/host'],
    'git-host/diff': ['git-host/git'],
    'git-host/represent': ['git-host/diff', 'git-host/git', 'git-host/host'],
    'git-host/workflows': ['git-host/host'],
    'git-host/pages': ['git-host/diff', 'git-host/git', 'git-host/host', 'git-host/represent'],
    'git-host/routes': ['git-host/diff', 'git-host/git', 'git-host/host', 'git-host/represent', 'git-host/workflows'],
    'git-host': ['git-host/git', 'git-host/host', 'git-host/pages', 'git-host/routes'],
    'messages-api': [],
    'rehearsal/meaning': [],
    'rehearsal/plan': ['rehearsal/meaning'],
    'rehearsal/rules': ['rehearsal/plan'],
    'rehearsal/requests': ['rehearsal/meaning', 'rehearsal/plan', 'rehearsal/rules'],
    rehearsal: ['messages-api', 'rehearsal/meaning', 'rehearsal/plan', 'rehearsal/requests', 'rehearsal/rules'],
    samples: [],
  },
  'packages/testkit': {
    debian: [],
    browser: ['debian'],
    databases: ['debian'],
    'git-host': [],
    'messages-api': [],
    oidc: [],
    otlp: [],
    proxy: ['debian'],
    sites: [],
  },
  'apps/worker': {
    'git-host': [],
    'git-host/github': ['git-host'],
    config: ['git-host', 'git-host/github'],
    outbound: [],
    heartbeat: [],
    retention: [],
    metrics: ['config'],
    doctor: ['config', 'git-host'],
    publish: ['git-host'],
    sources: ['git-host'],
    run: ['config', 'git-host', 'publish', 'sources'],
    'connection-check': ['config', 'git-host', 'run', 'sources'],
    deploy: ['config', 'git-host', 'outbound'],
    'pull-request-tracking': ['git-host', 'publish', 'run'],
    webhooks: ['config', 'outbound'],
    parts: ['config', 'connection-check', 'doctor', 'sources'],
  },
  'apps/api': {
    'event-hub': [],
    http: ['event-hub'],
    auth: ['http'],
    'public/openapi': ['http'],
    'public/reference': ['http'],
    'public/github': ['http'],
    'public/service': ['auth', 'http', 'public/openapi'],
    'public/jobs': ['auth', 'http', 'public/openapi'],
    'public/events': ['auth', 'event-hub', 'http', 'public/jobs', 'public/openapi'],
    'public/agent-v1': ['auth', 'event-hub', 'http', 'public/events', 'public/jobs', 'public/openapi'],
    'public/deployments': ['auth', 'http', 'public/openapi'],
    'public/webhooks': ['auth', 'http', 'public/openapi'],
    'public/mcp': ['auth', 'http', 'public/events', 'public/jobs'],
    public: ['auth', 'http', 'public/*'],
    'dashboard/audit': ['auth', 'http'],
    'dashboard/demo': ['auth', 'http'],
    'dashboard/sessions': ['auth', 'http'],
    'dashboard/account': ['auth', 'dashboard/sessions', 'http'],
    'dashboard/github-app': ['auth', 'http'],
    'dashboard/jobs': ['auth', 'event-hub', 'http', 'public/events', 'public/jobs'],
    'dashboard/keys': ['auth', 'http'],
    'dashboard/members': ['auth', 'http'],
    'dashboard/ops': ['auth', 'http'],
    'dashboard/pages': ['http'],
    'dashboard/projects': ['auth', 'http'],
    'dashboard/settings': ['auth', 'http'],
    dashboard: ['auth', 'dashboard/*', 'http'],
  },
  'apps/cli': {
    compat: [],
    environment: [],
    terminal: [],
    demo: ['environment'],
    services: ['demo', 'environment'],
    apply: ['environment', 'terminal'],
    doctor: ['environment', 'terminal'],
    commands: ['apply', 'compat', 'doctor', 'environment', 'services', 'terminal'],
    quickstart: ['environment', 'services', 'terminal'],
  },
}

const toPattern = (path) => path.replaceAll('.', '\\.')
/** Returns a pattern for the files directly in a folder. `*` stands for one folder name. */
const inFolder = (root, folder) => `^${root}/src/${toPattern(folder).replaceAll('*', '[^/]+')}/[^/]+$`

const packageRules = Object.entries(PACKAGES).map(([from, allowed]) => ({
  name: `packages-of-${from.replace('/', '-')}`,
  comment: `${from} imports only: ${allowed.join(', ') || 'no other package'}.`,
  severity: 'error',
  from: { path: `^${from}/src/` },
  to: { path: '^(apps|packages|qa)/', pathNot: [from, ...allowed].map((name) => `^${name}/`) },
}))

const hiddenRules = Object.entries(HIDDEN).map(([from, hidden]) => ({
  name: `hidden-from-${from.replace('/', '-')}`,
  severity: 'error',
  from: { path: `^${from}/src/` },
  to: { path: hidden.map((folder) => `^${folder}/`) },
}))

const folderRules = Object.entries(FOLDERS).flatMap(([root, folders]) => {
  const names = Object.keys(folders)
  return [
    ...names.map((name) => ({
      name: `folders-of-${root.replace('/', '-')}-${name.replaceAll('/', '-')}`,
      comment: `${root}/src/${name} imports only: ${folders[name].join(', ') || 'no other folder'}.`,
      severity: 'error',
      // An entry with `*` does not cover folders that have a separate entry.
      from: {
        path: inFolder(root, name),
        ...(name.includes('*') && {
          pathNot: names.filter((other) => other !== name).map((other) => inFolder(root, other)),
        }),
      },
      to: { path: `^${root}/src/`, pathNot: [name, ...folders[name]].map((to) => inFolder(root, to)) },
    })),
    {
      name: `unlisted-folder-of-${root.replace('/', '-')}`,
      comment: 'Add the folder and its allowed imports to .dependency-cruiser.cjs.',
      severity: 'error',
      from: { path: `^${root}/src/.+/`, pathNot: names.map((name) => inFolder(root, name)) },
      to: { path: '.' },
    },
  ]
})

module.exports = {
  forbidden: [
    ...packageRules,
    ...hiddenRules,
    ...folderRules,
    {
      name: 'packages-by-their-entry',
      comment:
        'Product code imports packages only through an entry point in their package.json. `/internal/` is for tests and campaigns.',
      severity: 'error',
      from: { path: '^(apps|packages)/([^/]+)/src/' },
      to: {
        path: '^(apps|packages)/[^/]+/src/',
        pathNot: [
          '^$1/$2/',
          '/src/index\\.ts$',
          '/src/[^/]+/index\\.ts$',
          '^apps/cli/src/main\\.ts$',
          '^apps/worker/src/parts\\.ts$',
        ],
      },
    },
    {
      name: 'independent-oracle',
      comment: 'The oracle of the sites campaign judges the product, so it must not use code of the product.',
      severity: 'error',
      from: { path: '^qa/sites/(model|oracle|defects)/' },
      to: { path: '^(apps|packages)/' },
    },
    {
      name: 'no-circles',
      comment: 'Circular imports are not allowed, not even for types.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    // Type imports also count.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.check.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: [
        '\\.test\\.tsx?$',
        '/(test-support|browser-tests|contract-tests|e2e)/',
        '/(dist|generated)/',
        '\\.css$',
        '^packages/(demo/sample-(docs|code)|testkit/sites)/',
        '^qa/eval/sites/[^/]+/',
        '^mdast$',
      ],
    },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['corrigenda-source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
    },
  },
}
