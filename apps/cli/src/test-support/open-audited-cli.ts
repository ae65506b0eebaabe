import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { loadApiConfig, startApi } from '@corrigenda/api'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { saveGitCredential } from '@corrigenda/core/credentials'
import { openDatabase } from '@corrigenda/core/db'
import { createDeployment } from '@corrigenda/core/deployments'
import { openInstance } from '@corrigenda/core/instance'
import { insertAccount } from '@corrigenda/core/internal/accounts/users'
import { createKey } from '@corrigenda/core/keys'
import { createProject, updateProjectSettings } from '@corrigenda/core/projects'
import { openLog } from '@corrigenda/core/runtime'
import { createWebhook, sendTestEvent, updateWebhook } from '@corrigenda/core/webhooks'
import { inject } from 'vitest'
import { makeFolder } from './open-folder.ts'

const OLD_SECRET = 'b4f0a7c2d9e1836f5a0c7e2d4b8f6190a3c5e7d9'
const NEW_SECRET = '5f2e8c1a9b7d6043e1f0a2b4c6d8e9f7053b1d9c'
const SOURCE_TOKEN = 'ghp_abcdefghij0123456789ABCDEFGHIJ012345'
const TOKEN = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
const SOURCE = { name: 'code', repository: 'https://github.com/acme/code', paths: ['packages/api/**'] }
const HOOK = 'https://hooks.example.com/secret-path-4711'
const DECLARATION = `
version: 1
projects:
  - name: Declared
    repository: https://github.com/acme/declared
    settings: { deployOnMerge: true }
    webhooks: [{ url: ${HOOK}, secretOutput: print }]
    keys: [{ name: ci, scopes: [jobs:read], expires: never, secretOutput: print }]
`
const PROMPT = 'Correct the spelling on the home page.'

export type AuditedCli = Awaited<ReturnType<typeof openAuditedCli>>

/**
 * Creates a database with an object for every command that changes or reads one, and starts an API
 * for the commands that call it.
 */
export async function openAuditedCli() {
  const dir = await makeFolder()
  const name = `audited_${randomUUID().replaceAll('-', '')}`
  const admin = openDatabase({ url: inject('postgresUrl'), maxConnections: 1, onError: () => {} })
  // Created by scripts/test-servers.ts.
  await admin.pool.query(`CREATE DATABASE ${name} TEMPLATE corrigenda_template STRATEGY file_copy`)
  const url = inject('postgresUrl').replace(/\/corrigenda$/, `/${name}`)
  const database = openDatabase({ url, maxConnections: 2, onError: () => {} })
  const { prisma } = database
  const env = {
    DATABASE_URL: url,
    CORRIGENDA_SECRET: OLD_SECRET,
    HOST: '127.0.0.1',
    PORT: '0',
    ALLOWED_REPOSITORY_HOSTS: 'github.com,github.example.com',
  }
  const log = openLog({ level: 'fatal', secrets: [] })
  const api = await startApi(loadApiConfig(env), log)
  const deps = {
    ...database,
    audit: COMMAND_LINE,
    allowedHookHosts: [],
    allowedRepositoryHosts: ['github.com'],
    ...(await openInstance(database, { secret: OLD_SECRET, previousSecret: null })),
  }
  const makeProject = async (name: string) =>
    (await createProject(deps, { name, repository: 'https://github.com/acme/docs', baseBranch: null })).id
  const project = await makeProject('P')
  const makeWebhook = async () =>
    (await createWebhook(deps, { projectId: project, url: HOOK, description: '', events: [] })).id
  const moved = await makeProject('Moved')
  await saveGitCredential(deps, { projectId: moved, token: TOKEN })
  const deployed = await makeProject('Deployed')
  const deployTarget = { kind: 'hook' as const, url: HOOK }
  await updateProjectSettings(deps, { projectId: deployed, change: { deployTarget } })
  const { statusId: deployment } = await createDeployment(deps, { projectId: deployed, jobId: null, trigger: 'api' })
  const webhook = await makeWebhook()
  const { id: delivery } = await sendTestEvent(deps, { projectId: null, id: webhook })
  const disabled = await makeWebhook()
  await updateWebhook(deps, { projectId: null, id: disabled, change: { disabled: true } })
  const makeUser = async (name: string, isAdmin = false) =>
    (
      await insertAccount(
        prisma,
        { name, email: `${name.toLowerCase()}@example.com`, passwordHash: 'none' },
        { isAdmin, isVerified: true },
      )
    ).userId
  const users = { ada: await makeUser('Ada', true), grace: await makeUser('Grace'), hedy: await makeUser('Hedy') }
  await prisma.user.update({ where: { id: users.hedy }, data: { isAdmin: true, adminGroup: 'docs-admins' } })
  const key = await createKey(deps, {
    projectId: project,
    name: 'k',
    scopes: ['jobs:read', 'jobs:write'],
    expiresInDays: 1,
  })
  const makeJob = async (ends: boolean) => {
    const ask = (at: string, body: object) =>
      fetch(`${api.url}/v2/agent/${project}/job${at}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then((response) => response.json())
    const { id } = (await ask('', { prompt: PROMPT, dedupe: false })) as { id: string }
    if (ends) await ask(`/${id}/cancel`, {})
    return id
  }
  const settingsFile = path.join(dir, 'settings.json')
  await writeFile(settingsFile, JSON.stringify({ budgets: { maxTurns: 9 }, sources: [SOURCE] }))
  const declaration = path.join(dir, 'corrigenda.yaml')
  await writeFile(declaration, DECLARATION)
  return {
    dir,
    prisma,
    project,
    moved,
    deployed,
    deployment,
    webhook,
    delivery,
    disabled,
    settingsFile,
    users,
    declaration,
    removed: await makeWebhook(),
    hook: HOOK,
    prompt: PROMPT,
    sourceToken: SOURCE_TOKEN,
    keyId: key.id,
    revoked: (await createKey(deps, { projectId: project, name: 'old', scopes: ['jobs:read'], expiresInDays: 1 })).id,
    jobs: { active: await makeJob(false), ended: await makeJob(true), deleted: await makeJob(true) },
    env: { ...env, CORRIGENDA_URL: api.url, CORRIGENDA_API_KEY: key.key, CORRIGENDA_PROJECT: project },
    /** Settings of a rotation of the secret. */
    rotation: { CORRIGENDA_SECRET: NEW_SECRET, CORRIGENDA_SECRET_PREVIOUS: OLD_SECRET },
    secrets: [OLD_SECRET, NEW_SECRET, TOKEN, SOURCE_TOKEN, key.key, new URL(HOOK).pathname, PROMPT],
    async close() {
      await api.close()
      await database.close()
      await admin.pool.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await admin.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
