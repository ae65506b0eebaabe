import { readFile } from 'node:fs/promises'
import { openFolder } from '@corrigenda/cli/internal/test-support/open-folder'
import { runCli } from '@corrigenda/cli/internal/test-support/run-cli'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { openDatabase } from '@corrigenda/core/db'
import { createDeployment } from '@corrigenda/core/deployments'
import { deriveSecrets } from '@corrigenda/core/instance'
import { findDeployTarget } from '@corrigenda/core/projects'
import { expect, onTestFinished, test } from 'vitest'

test('sets, clears and shows deploy targets without their secrets, and lists deployments', async () => {
  const { dir, server, json, close } = await openFolder()
  onTestFinished(close)
  const made = await json('project', 'create', '--name', 'Docs', '--repository', 'https://github.com/acme/docs')
  const id = String(made.id)
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
  const { deployTarget } = await database.prisma.project.findUniqueOrThrow(project)
  expect(JSON.stringify(deployTarget)).not.toContain('production')
  const { deployTargetKey } = deriveSecrets((await readFile(`${dir}/.corrigenda/secret`, 'utf8')).trim())
  expect(findDeployTarget(deployTargetKey, id, deployTarget)).toEqual({
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
  const { statusId } = await createDeployment(
    { ...database, audit: COMMAND_LINE },
    { projectId: id, jobId: null, trigger: 'dashboard' },
  )
  expect(await json('deployment', 'list', '--project', id)).toMatchObject({
    updates: [{ _id: statusId, status: 'queued', trigger: 'dashboard' }],
    nextCursor: null,
  })
  expect(await json('deployment', 'get', statusId, '--project', id)).toMatchObject({ _id: statusId, logs: [] })
  expect((await runCli(dir, ['deployment', 'get', statusId, '--project', id])).out).toContain('Waiting for a worker.')
  const template = 'https://{branchSlug}.preview.example.com'
  expect(await update('--preview-url', template)).toMatchObject({ previewUrlTemplate: template })
  expect(await update('--preview-url', '')).toMatchObject({ previewUrlTemplate: null })
  expect(await update('--deploy-hook', '')).toMatchObject({ deployHook: false, deployTarget: null })
  const cases: [string[], number, RegExp][] = [
    [['deployment', 'get', 'nope', '--project', id], 1, /has no deployment nope/],
    [['deployment', 'list', '--project', id, '--limit', '0'], 1, /--limit must be a number/],
    [['project', 'update', id, '--deploy-ref', 'x'], 1, /require --deploy-workflow/],
    [['project', 'update', id, '--deploy-payload', '{}'], 1, /requires --deploy-event/],
    [['project', 'update', id, '--deploy-hook', 'https://a.example/', '--deploy-event', 'x'], 2, /cannot be used with/],
    [['project', 'update', id, '--deploy-event', 'x', '--deploy-payload', '[]'], 2, /JSON object/],
    [['project', 'update', id, '--preview-url', 'https://a.example/'], 1, /URL for previews must contain/],
    [['project', 'update', id, '--deploy-workflow', '../x.yml'], 1, /must be the name of a file/],
    [['project', 'update', id, '--deploy-hook', 'https://10.0.0.1/'], 1, /ALLOWED_HOOK_HOSTS/],
    [['project', 'update', id, '--deploy-on-merge', 'perhaps'], 2, /on or off/],
  ]
  for (const [args, code, says] of cases) {
    const result = await runCli(dir, args)
    expect([args, result.code, result.out]).toEqual([args, code, ''])
    expect(result.err).toMatch(says)
  }
})
