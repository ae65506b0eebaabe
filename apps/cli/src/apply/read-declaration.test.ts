import { expect, test } from 'vitest'
import { runCli } from '../test-support/run-cli.ts'
import { openApply, toDeclaration } from './test-support/open-apply.ts'

/** Fields that do not exist, in the last of the lines. */
const UNKNOWN: [lines: string[], field: string][] = [
  [['x: 1'], 'x'],
  [['settings: { x: 1 }'], 'settings.x'],
  [['settings: { policy: { x: 1 } }'], 'settings.policy.x'],
  [['settings: { budgets: { x: 1 } }'], 'settings.budgets.x'],
  [['settings: { retention: { x: 1 } }'], 'settings.retention.x'],
  [['settings: { deployTarget: { kind: hook, url: { env: A }, x: 1 } }'], 'settings.deployTarget.x'],
  [['settings: { deployTarget: { kind: workflow_dispatch, workflow: a.yml, x: 1 } }'], 'settings.deployTarget.x'],
  [['settings: { deployTarget: { kind: repository_dispatch, eventType: a, x: 1 } }'], 'settings.deployTarget.x'],
  [['sources:', '  - { name: a, repository: https://github.com/acme/a, x: 1 }'], 'sources[0].x'],
  [['keys:', '  - { name: a, scopes: [jobs:read], expires: 1d, x: 1 }'], 'keys[0].x'],
  [['webhooks:', '  - { url: https://a.example.com, x: 1 }'], 'webhooks[0].x'],
  [['members:', '  - { email: a@example.com, role: owner, x: 1 }'], 'members[0].x'],
  [['token: { env: A, x: 1 }'], 'token.x'],
  [['token: { file: a, x: 1 }'], 'token.x'],
  [['webhooks:', '  - { url: https://a.example.com, secretOutput: { file: a, x: 1 } }'], 'webhooks[0].secretOutput.x'],
]

/** Secrets in place of references. */
const LITERAL: [lines: string[], field: string][] = [
  [['token: ghp_0123456789abcdefghij'], 'token'],
  [['settings:', '  deployTarget: { kind: hook, url: https://a.example.com/ghp_0123 }'], 'settings.deployTarget.url'],
  [
    ['sources:', '  - { name: a, repository: https://github.com/acme/a, token: ghp_0123456789abcdefghij }'],
    'sources[0].token',
  ],
  [['webhooks:', '  - { url: https://a.example.com, secret: ghp_0123456789abcdefghij }'], 'webhooks[0].secret'],
]

const INVALID: [text: string, message: string][] = [
  ['version: 2\nprojects: []', '1: version is not supported. This command supports version 1'],
  ['projects: []', '1: version is missing'],
  ['version: 1\nprojects: [', '2: '],
  ['version: 1\nprojects: []\nx: 1', '3: x is not a known field.'],
  [toDeclaration('token: >ghp_0123456789'), '5: Block scalar header includes extra characters.'],
  ['- version\nghp_0123456789: 1', '2: Unexpected scalar at node end.'],
  [toDeclaration('settings:', '  policy:', '    maxFiles: many'), '7: projects[0].settings.policy.maxFiles '],
  [toDeclaration('setings: {}'), '5: projects[0].setings is not a known field.'],
  [toDeclaration('settings: { budget: {} }'), '5: projects[0].settings.budget is not a known field.'],
  [toDeclaration('token: { env: NO_SUCH }'), '5: projects[0].token has no value. The environment variable NO_SUCH'],
  [toDeclaration('token: { file: none }'), '5: projects[0].token has no value. The file none is missing'],
  [toDeclaration('token: { env: SHORT }'), '5: projects[0].token is too short'],
  [
    toDeclaration('settings:', '  deployTarget: { kind: hook, url: { env: SHORT } }'),
    '6: projects[0].settings.deployTarget ',
  ],
  [
    toDeclaration('keys:', '  - { name: a, scopes: [jobs:read], expires: soon }'),
    '6: projects[0].keys[0].expires must be',
  ],
  [
    toDeclaration('keys:', '  - { name: a, scopes: [jobs:read], expires: 1d }'),
    '6: projects[0].keys[0] is created, so',
  ],
  [
    toDeclaration('keys:', '  - name: a', '    scopes: [admin]', '    expires: 1d'),
    '7: projects[0].keys[0].scopes[0] ',
  ],
  [toDeclaration('webhooks:', '  - url: https://a.example.com'), '6: projects[0].webhooks[0] is created, so'],
  [
    toDeclaration('webhooks:', '  - { url: http://10.0.0.1/x, secretOutput: print }'),
    '6: projects[0].webhooks[0].url ',
  ],
  [
    toDeclaration('webhooks:', '  - { url: https://a.example.com, secret: { env: SHORT } }'),
    '6: projects[0].webhooks[0].secret must be whsec_',
  ],
  [toDeclaration('members:', '  - { email: x@example.com, role: owner }'), '6: projects[0].members[0] has no account'],
  [
    toDeclaration('sources:', '  - { name: a, repository: https://evil.example/a/b }'),
    '6: projects[0].sources[0].repository ',
  ],
  [
    toDeclaration().replace('github.com', 'evil.example'),
    '4: projects[0].repository is not valid. Repositories on evil.example',
  ],
  [
    `${toDeclaration()}\n  - name: P\n    repository: https://github.com/acme/q`,
    '3: projects must have different names',
  ],
  [toDeclaration('id: prj_none'), '5: projects[0].id is not the ID of a project'],
  [toDeclaration().replace('://', '://x:ghp_0123@'), '4: projects[0].repository is not valid.'],
  [
    toDeclaration('webhooks:', '  - { url: { env: IN_URL }, secretOutput: print }'),
    '6: projects[0].webhooks[0].url is not valid.',
  ],
  [
    toDeclaration('settings: { deployTarget: { kind: hook, url: { env: IN_URL } } }'),
    '5: projects[0].settings.deployTarget is not valid.',
  ],
  [
    `${toDeclaration('keys:', '  - &key { name: a, scopes: [jobs:read], expires: 1d, secretOutput: { file: a } }')}
  - { name: Q, repository: https://github.com/acme/q, keys: [*key] }`,
    '3: projects must write secrets to different files',
  ],
  ...UNKNOWN.map(([lines, field]): [string, string] => [
    toDeclaration(...lines),
    `${4 + lines.length}: projects[0].${field} is not a known field.`,
  ]),
  ...LITERAL.map(([lines, field]): [string, string] => [
    toDeclaration(...lines),
    `${4 + lines.length}: projects[0].${field} must be { env: NAME } or { file: PATH }.`,
  ]),
]

test('invalid declarations are rejected with their lines and fields, and change nothing', async () => {
  const { run, env, prisma } = await openApply()
  env.SHORT = 'not-secret-4713'
  env.IN_URL = 'https://user:4713@10.0.0.1/4713?4713'
  for (const [text, message] of INVALID) {
    const ended = await run(text)
    expect([ended.code, ended.out], text).toEqual([2, ''])
    expect(ended.err, text).toContain(`  corrigenda.yaml:${message}`)
    expect(ended.err).not.toMatch(/4713|ghp_/)
  }
  const alias = await run(toDeclaration('token: *ghp_0123456789'))
  expect(alias).toMatchObject({ code: 2, out: '', err: expect.stringContaining('  corrigenda.yaml: has an alias') })
  expect(alias.err).not.toContain('ghp_')
  expect((await runCli('/nowhere', ['apply', '-f', 'none.yaml'], env)).err).toContain(
    'none.yaml: cannot be read (ENOENT)',
  )
  expect([await prisma.project.count(), await prisma.auditEvent.count()]).toEqual([0, 0])
})
