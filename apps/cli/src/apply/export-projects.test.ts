import { expect, test } from 'vitest'
import { runCli } from '../test-support/run-cli.ts'
import { openApply, readExample, SECRETS, toDeclaration } from './test-support/open-apply.ts'

const EXAMPLE = await readExample()

test('an export contains no secrets, changes nothing, and creates equal projects elsewhere', async () => {
  const from = await openApply()
  await from.makeUser('ada@example.com')
  await from.apply(EXAMPLE)
  const exported = await runCli(from.dir, ['export'], from.env)
  expect([exported.code, exported.err]).toEqual([0, ''])
  const acts = await from.prisma.auditEvent.findMany({ where: { action: 'project.exported' } })
  expect(acts).toMatchObject([{ actorType: 'command_line', targetName: 'Handbook' }])
  expect(
    [...Object.values(SECRETS), 'secret-path', 'hooks.example.com/corrigenda'].filter((one) =>
      exported.out.includes(one),
    ),
  ).toEqual([])
  const named = {
    HANDBOOK_CODE_TOKEN: SECRETS.PRODUCT_TOKEN,
    HANDBOOK_HOOKS_EXAMPLE_COM_URL: 'https://hooks.example.com/corrigenda',
  }
  expect(exported.out).toContain(
    '# Secrets are not exported. Set HANDBOOK_TOKEN, HANDBOOK_DEPLOY_HOOK, HANDBOOK_CODE_TOKEN, HANDBOOK_HOOKS_EXAMPLE_COM_URL.',
  )
  Object.assign(from.env, named)
  expect(await from.apply(exported.out, '--prune')).toBe('No changes.\n')
  const to = await openApply()
  Object.assign(to.env, named)
  await to.makeUser('ada@example.com')
  await to.apply(exported.out)
  expect((await runCli(to.dir, ['export'], to.env)).out).toBe(exported.out)
  const none = await runCli(to.dir, ['export', '--project', 'prj_none'], to.env)
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('There is no project prj_none.')])
})

test('inputs of a workflow are references', async () => {
  const from = await openApply()
  const target = '{ kind: workflow_dispatch, workflow: deploy.yml, inputs: { token: an-input-secret } }'
  await from.apply(toDeclaration(`settings: { deployTarget: ${target} }`))
  const exported = await runCli(from.dir, ['export'], from.env)
  expect(exported.out).not.toContain('an-input-secret')
  const [variable = ''] = /\w+_DEPLOY_TOKEN/.exec(exported.out) ?? []
  Object.assign(from.env, { [variable]: 'an-input-secret' })
  expect(await from.apply(exported.out)).toBe('No changes.\n')
})
