import { expect, test } from 'vitest'
import { runCli } from '../test-support/run-cli.ts'
import { openApply, toDeclaration } from './test-support/open-apply.ts'

const INVALID: [text: string, message: string][] = [
  ['version: 2\nprojects: []', '1: version is not supported. This command supports version 1'],
  ['projects: []', '1: version is missing'],
  ['version: 1\nprojects: [', '2: '],
  [toDeclaration('settings:', '  policy:', '    maxFiles: many'), '7: projects[0].settings.policy.maxFiles '],
  [toDeclaration('setings: {}'), '5: projects[0].setings is not a known field.'],
  [toDeclaration('settings: { budget: {} }'), '5: projects[0].settings.budget is not a known field.'],
  [toDeclaration('token: ghp_0123456789abcdefghij'), '5: projects[0].token must be { env: NAME } or { file: PATH }'],
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
]

test('invalid declarations are rejected with their lines and fields, and change nothing', async () => {
  const { run, env, prisma } = await openApply()
  env.SHORT = 'not-secret-4713'
  for (const [text, message] of INVALID) {
    const ended = await run(text)
    expect([ended.code, ended.out], text).toEqual([2, ''])
    expect(ended.err, text).toContain(`  corrigenda.yaml:${message}`)
    expect(ended.err).not.toMatch(/4713|ghp_/)
  }
  expect((await runCli('/nowhere', ['apply', '-f', 'none.yaml'], env)).err).toContain(
    'none.yaml: cannot be read (ENOENT)',
  )
  expect([await prisma.project.count(), await prisma.auditEvent.count()]).toEqual([0, 0])
})
