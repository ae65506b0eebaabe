import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createDeployment, openDatabase } from '@corrigenda/core'
import { startPostgres } from '@corrigenda/embedded-postgres'
import { expect, onTestFinished, test } from 'vitest'
import { runCli } from '../test-support/run-cli.ts'

/** A folder with a running embedded database and a project. */
async function openFolder() {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-cli-'))
  await chmod(dir, 0o755)
  const server = await startPostgres({ stateDir: path.join(dir, '.corrigenda'), durable: false })
  onTestFinished(async () => {
    await server.stop()
    await rm(dir, { recursive: true, force: true })
  })
  const json = async (...args: string[]) => {
    const { code, out, err } = await runCli(dir, [...args, '--json'])
    expect([code, err]).toEqual([0, ''])
    return JSON.parse(out)
  }
  const repository = ['--repository', 'https://github.com/acme/docs']
  const { id } = await json('project', 'create', '--name', 'Docs', ...repository)
  return { dir, server, json, id: String(id) }
}

test('deploy targets are set, shown without what is secret, and cleared; deployments are listed', async () => {
  const { dir, server, json, id } = await openFolder()
  const update = (...args: string[]) => json('project', 'update', id, ...args)
  expect(await update('--deploy-hook', 'https://example.com/hook-4711', '--deploy-on-merge', 'on')).toMatchObject({
    deployHook: true,
    deployTarget: 'deploy hook at example.com',
    deployOnMerge: true,
  })
  const input = ['--deploy-input', 'stage=production', '--deploy-input', 'query=a=b']
  expect(await update('--deploy-workflow', 'docs.yml', '--deploy-ref', 'next', ...input)).toMatchObject({
    deployHook: false,
    deployTarget: 'workflow docs.yml on next',
    deployOnMerge: true,
  })
  const database = openDatabase({ url: server.url, maxConnections: 1, onError: () => {} })
  onTestFinished(() => database.close())
  const project = { where: { id } }
  expect((await database.prisma.project.findUniqueOrThrow(project)).deployTarget).toEqual({
    kind: 'workflow_dispatch',
    workflow: 'docs.yml',
    ref: 'next',
    inputs: { stage: 'production', query: 'a=b' },
  })
  const payload = ['--deploy-payload', '{"site":"docs"}', '--deploy-on-merge', 'off']
  expect(await update('--deploy-event', 'publish', ...payload)).toMatchObject({
    deployTarget: 'repository event publish',
    deployOnMerge: false,
  })
  const { statusId } = await createDeployment(database, { projectId: id, jobId: null, source: 'dashboard' })
  expect(await json('deployment', 'list', '--project', id)).toMatchObject({
    updates: [{ _id: statusId, status: 'queued', source: 'dashboard' }],
    nextCursor: null,
  })
  expect(await json('deployment', 'get', statusId, '--project', id)).toMatchObject({ _id: statusId, logs: [] })
  expect((await runCli(dir, ['deployment', 'get', statusId, '--project', id])).out).toContain('Waiting for a worker.')
  expect(await update('--deploy-hook', '')).toMatchObject({ deployHook: false, deployTarget: null })
  const cases: [string[], number, RegExp][] = [
    [['deployment', 'get', 'nope', '--project', id], 1, /has no deployment nope/],
    [['deployment', 'list', '--project', id, '--limit', '0'], 1, /--limit must be a number/],
    [['project', 'update', id, '--deploy-ref', 'x'], 1, /belong to --deploy-workflow/],
    [['project', 'update', id, '--deploy-payload', '{}'], 1, /belongs to --deploy-event/],
    [['project', 'update', id, '--deploy-hook', 'https://a.example/', '--deploy-event', 'x'], 2, /cannot be used with/],
    [['project', 'update', id, '--deploy-event', 'x', '--deploy-payload', '[]'], 2, /JSON object/],
    [['project', 'update', id, '--deploy-workflow', '../x.yml'], 1, /must be the name of a file/],
    [['project', 'update', id, '--deploy-hook', 'https://10.0.0.1/'], 1, /ALLOWED_HOOK_HOSTS/],
    [['project', 'update', id, '--deploy-on-merge', 'perhaps'], 2, /on or off/],
  ]
  for (const [args, code, says] of cases) {
    const result = await runCli(dir, args)
    expect([args, result.code, result.out]).toEqual([args, code, ''])
    expect(result.err).toMatch(says)
  }
}, 120_000)
