import type { AuditAction } from '@corrigenda/contracts'
import { expect } from 'vitest'
import type { AuditedCli } from './open-audited-cli.ts'

export type Args = readonly string[]

interface Changed {
  readonly before?: object
  readonly after?: object
}

interface Row extends Changed {
  readonly action: AuditAction
  readonly projectId?: string
  readonly target?: readonly [type: string, id: string, name?: string]
}

interface Printed {
  readonly id: string
  /** Of `apply`. */
  readonly projects?: readonly { readonly id: string }[]
}

/** Arguments after the command's name, and the rows that they add, given what the command prints. */
type Step = readonly [args: Args, toRows?: (printed: Printed) => readonly Row[]]

export interface Act {
  readonly steps: readonly Step[]
  /** Invocations that must fail and add no row. */
  readonly failing: readonly Args[]
  readonly env?: Readonly<Record<string, string>>
  /** Standard input of the steps and the failing invocations. */
  readonly input?: string
}

const OF_SERVICES = 'starts services, which record the acts of their callers'

/** Commands that the tables below do not contain, and why. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  serve: OF_SERVICES,
  api: OF_SERVICES,
  worker: OF_SERVICES,
  init: 'writes a file and does not use the database',
  backup: 'reads the database in one transaction that cannot write, then records the act; see backup.test.ts',
  restore: 'replaces the whole database, then records the act; see backup.test.ts',
  export: 'prints YAML instead of JSON; see export-projects.test.ts',
  migrate: 'the table _prisma_migrations records each migration',
  compat: 'calls any server over HTTP, like "job create"',
  quickstart: 'starts services and makes a project and a key; see quickstart.test.ts',
}

/**
 * Arguments of the commands that only read. Those that use the database directly run in sessions that
 * cannot write.
 */
export const buildReading = ({ project, deployed, deployment, webhook, jobs }: AuditedCli): Record<string, Args> => ({
  doctor: [],
  'project list': [],
  'key list': ['--project', project],
  'user list': [],
  'webhook list': [],
  'webhook deliveries': [webhook],
  'deployment list': ['--project', deployed],
  'deployment get': [deployment, '--project', deployed],
  'audit list': ['--project', project],
  'audit export': [],
  'job get': [jobs.active],
  'job changes': [jobs.active],
  'job events': [jobs.active],
})

/** The commands that change something. They run in this order. */
export function buildActs(cli: AuditedCli): Record<string, Act> {
  const { project, moved, webhook, disabled, removed, hook, jobs, settingsFile, delivery, prompt } = cli
  const at = { projectId: project }
  const inNone = ['--project', 'prj_none']
  const inProject = ['--project', project]
  const [ada, grace, hedy] = ['ada@example.com', 'grace@example.com', 'hedy@example.com']
  const [none, repository, origin] = ['none', 'https://github.com/acme/q', 'https://hooks.example.com']
  const evil = ['--repository', 'https://evil.example/a/b']
  const update = [project, '--name', 'New', '--deploy-hook', hook, '--deploy-on-merge', 'on']
  const fields = { origin, description: '', events: [], isDisabled: false }
  const onAccount = (action: AuditAction, name: string) => (printed: Printed) => [
    { action, target: ['account', printed.id, name] } as const,
  ]
  const onWebhook = (action: AuditAction, id: string, changed: Changed = {}) => [
    { ...at, action, target: ['webhook', id, origin], ...changed } as const,
  ]
  const onJob = (action: AuditAction, id: string, changed: Changed = {}) => [
    { ...at, action, target: ['job', id], ...changed } as const,
  ]
  const onSettings = (id: string, name: string, before: object, after: object) =>
    ({ action: 'project.settings_changed', projectId: id, target: ['project', id, name], before, after }) as const

  const created = { repository, baseBranch: null }
  const atOnce = [
    { name: 'P', deployOnMerge: false, deployTarget: 'none' },
    { name: 'New', deployOnMerge: true, deployTarget: 'configured' },
  ] as const
  const fromFile = [
    { baseBranch: null, 'budgets.maxTurns': null, sources: null },
    { baseBranch: 'next', 'budgets.maxTurns': 9, sources: [expect.objectContaining({ name: 'code' })] },
  ] as const
  const onSource = (action: AuditAction) => () => [
    { ...at, action, target: ['source', 'code', 'code on github.com'] } as const,
  ]
  const [here, there] = ['https://github.com/acme/docs', 'https://github.example.com/acme/docs']
  const newKey = [...inProject, '--name', 'ci']
  const limits = ['--scopes', 'jobs:read', '--expires', '7d', '--allow', '203.0.113.7']
  const limited = { scopes: ['jobs:read'], expiresInDays: 7, allowedCidrs: ['203.0.113.7'] }
  const guest = { role: 'viewer', email: 'bob@example.com' }
  const newHook = [...inProject, '--url', hook]
  return {
    apply: {
      steps: [
        [['-f', cli.declaration, '--dry-run']],
        [
          ['-f', cli.declaration],
          ({ projects: [declared] = [] }) => {
            const { id } = declared ?? { id: 'none' }
            const on = (type: string, name: string) => [type, expect.any(String), name] as const
            const after = { repository: 'https://github.com/acme/declared', baseBranch: null }
            const settings = onSettings(id, 'Declared', { deployOnMerge: false }, { deployOnMerge: true })
            const unlimited = { scopes: ['jobs:read'], expiresInDays: null, allowedCidrs: [] }
            return [
              { action: 'key.created', projectId: id, target: on('key', 'ci'), after: unlimited },
              { action: 'project.created', projectId: id, target: ['project', id, 'Declared'], after },
              settings,
              { action: 'webhook.created', projectId: id, target: on('webhook', origin), after: fields },
            ]
          },
        ],
        [['-f', cli.declaration]],
      ],
      failing: [[], ['-f', 'no-such-file.yaml']],
    },
    'project create': {
      steps: [
        [
          ['--name', 'Q', '--repository', repository],
          ({ id }) => [{ action: 'project.created', projectId: id, target: ['project', id, 'Q'], after: created }],
        ],
      ],
      failing: [
        ['--name', 'Q'],
        ['--name', 'Q', ...evil],
        ['--name', ' ', '--repository', repository],
      ],
    },
    'project update': {
      steps: [
        [update, () => [onSettings(project, 'New', ...atOnce)]],
        [update],
        [[project, '--settings', settingsFile, '--base', 'next'], () => [onSettings(project, 'New', ...fromFile)]],
        [
          [moved, '--repository', there],
          () => [
            { action: 'credential.deleted', projectId: moved, target: ['credential', moved, 'github.com'] },
            onSettings(moved, 'Moved', { repository: here }, { repository: there }),
          ],
        ],
      ],
      failing: [
        ['prj_none', '--name', 'X'],
        ['prj_none', '--settings', settingsFile],
        [project, '--name', ' '],
        [project, '--repository', ''],
        [project, '--settings', settingsFile, ...evil],
      ],
    },
    'project source-token': {
      input: `${cli.sourceToken}\n`,
      steps: [
        [[project, 'code'], onSource('credential.saved')],
        [[project, 'code', '--remove'], onSource('credential.deleted')],
        [[project, 'code', '--remove']],
      ],
      failing: [[project, 'other'], ['prj_none', 'code'], [project]],
    },
    'key create': {
      steps: [
        [
          [...newKey, ...limits],
          ({ id }) => [{ ...at, action: 'key.created', target: ['key', id, 'ci'], after: limited }],
        ],
      ],
      failing: [
        [...inNone, '--name', 'ci'],
        [...newKey, '--scopes', 'admin'],
        [...newKey, '--allow', 'nonsense'],
      ],
    },
    'key revoke': {
      steps: [
        [[cli.revoked], ({ id }) => [{ ...at, action: 'key.revoked', target: ['key', id, 'old'] }]],
        [[cli.revoked]],
      ],
      failing: [[none]],
    },
    'user reset-password': {
      steps: [[[ada], onAccount('account.password_set', 'Ada')]],
      failing: [['unknown@example.com'], [ada, '--ask']],
    },
    'user sign-in-link': {
      steps: [[[ada], onAccount('account.sign_in_link_created', 'Ada')]],
      failing: [['unknown@example.com']],
    },
    'user admin': {
      steps: [
        [[grace], onAccount('account.admin_granted', 'Grace')],
        [[grace]],
        [[grace, '--revoke'], onAccount('account.admin_revoked', 'Grace')],
        // The access of this account comes from a group. Now the account keeps it without the group.
        [[hedy], onAccount('account.admin_granted', 'Hedy')],
        [[hedy]],
      ],
      failing: [['unknown@example.com'], ['unknown'], [hedy, '--revoke']],
    },
    'user invite': {
      steps: [
        [
          [...inProject, '--role', guest.role, '--email', 'Bob@example.com'],
          ({ id }) => [{ ...at, action: 'invitation.created', target: ['invitation', id, guest.email], after: guest }],
        ],
      ],
      failing: [inNone, [...inProject, '--role', 'boss'], [...inProject, '--email', 'no-address']],
    },
    'webhook add': {
      steps: [
        [
          [...newHook, '--events', 'job.created', '--description', 'CI'],
          ({ id }) =>
            onWebhook('webhook.created', id, { after: { ...fields, description: 'CI', events: ['job.created'] } }),
        ],
      ],
      failing: [
        [...inNone, '--url', hook],
        [...inProject, '--url', 'https://127.0.0.1/x'],
        [...newHook, '--events', 'nonsense'],
      ],
    },
    'webhook enable': {
      steps: [
        [
          [disabled],
          () => onWebhook('webhook.updated', disabled, { before: { isDisabled: true }, after: { isDisabled: false } }),
        ],
        [[disabled]],
      ],
      failing: [[none]],
    },
    'webhook rotate': { steps: [[[webhook], () => onWebhook('webhook.secret_rotated', webhook)]], failing: [[none]] },
    'webhook test': { steps: [[[webhook], () => onWebhook('webhook.tested', webhook)]], failing: [[none]] },
    'webhook redeliver': {
      steps: [[[delivery], () => onWebhook('webhook.redelivered', webhook, { after: { delivery } })]],
      failing: [[none]],
    },
    'webhook remove': {
      steps: [[[removed], () => onWebhook('webhook.deleted', removed, { before: fields })]],
      failing: [[none]],
    },
    'signing-key': {
      steps: [
        [[], () => [{ action: 'signing_key.created' }]],
        [[]],
        [['--remove'], () => [{ action: 'signing_key.deleted' }]],
        [['--remove']],
      ],
      failing: [['--delete']],
    },
    'job create': {
      steps: [[['--prompt', prompt, '--no-dedupe'], ({ id }) => onJob('job.created', id)]],
      failing: [
        [...inNone, '--prompt', 'x'],
        ['--prompt', ''],
        ['--prompt', 'x', '--metadata', 'x'],
      ],
    },
    'job message': {
      steps: [
        [
          [jobs.active, '--prompt', prompt],
          () => onJob('job.message_sent', jobs.active, { after: { messageId: expect.any(String) } }),
        ],
      ],
      failing: [[none, '--prompt', 'x'], [jobs.active]],
    },
    'job cancel': {
      steps: [[[jobs.active], () => onJob('job.cancelled', jobs.active)], [[jobs.active]]],
      failing: [[none], [jobs.active, ...inNone]],
    },
    'job retry': {
      steps: [[[jobs.ended], ({ id }) => onJob('job.retried', id, { after: { retryOf: jobs.ended } })]],
      failing: [[none]],
    },
    'job archive': {
      steps: [[[jobs.ended], () => onJob('job.archived', jobs.ended)], [[jobs.ended]]],
      failing: [[none]],
    },
    'job unarchive': {
      steps: [[[jobs.ended], () => onJob('job.unarchived', jobs.ended)], [[jobs.ended]]],
      failing: [[none]],
    },
    'job delete': { steps: [[[jobs.deleted], () => onJob('job.deleted', jobs.deleted)]], failing: [[none]] },
    'project delete': {
      steps: [
        [
          [moved, '--name', 'Moved'],
          () => [{ action: 'project.deleted', projectId: moved, target: ['project', moved, 'Moved'] }],
        ],
      ],
      failing: [[moved], [project, '--name', 'Other'], ['prj_none', '--name', 'X']],
    },
    // Last, because the other commands use the old secret.
    'secret rotate': {
      env: cli.rotation,
      steps: [[[], () => [{ action: 'secret.rotated' }]], [[]]],
      failing: [['--delete']],
    },
  }
}
