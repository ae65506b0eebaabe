import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { openInstance } from '@corrigenda/core/instance'
import { insertAccount } from '@corrigenda/core/internal/accounts/users'
import { listProjects } from '@corrigenda/core/projects'
import { expect, onTestFinished } from 'vitest'
import { openDatabaseCopy } from '../../test-support/open-database-copy.ts'
import { runCli } from '../../test-support/run-cli.ts'

const SECRET = 'b4f0a7c2d9e1836f5a0c7e2d4b8f6190a3c5e7d9'
/** Secrets of the environment, which the documented example refers to. */
export const SECRETS = {
  HANDBOOK_TOKEN: 'ghp_0123456789abcdefghijABCDEFGHIJ012345',
  PRODUCT_TOKEN: 'ghp_abcdefghij0123456789ABCDEFGHIJ012345',
  HANDBOOK_DEPLOY_HOOK: 'https://deploy.example.com/secret-path-4711',
  HANDBOOK_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
}

/** Returns the example of docs/apply.md. */
export async function readExample(): Promise<string> {
  const text = await readFile(new URL('../../../../../docs/apply.md', import.meta.url), 'utf8')
  return /```yaml\n(version: 1[\s\S]*?)```/.exec(text)?.[1] ?? ''
}

/** Returns a declaration of the project P with these lines. */
export const toDeclaration = (...lines: string[]): string =>
  [
    'version: 1',
    'projects:',
    '  - name: P',
    '    repository: https://github.com/acme/p',
    ...lines.map((line) => `    ${line}`),
  ].join('\n')

/** Opens a database and a folder, and returns what applies declarations to them. */
export async function openApply() {
  const copy = await openDatabaseCopy()
  onTestFinished(() => copy.close())
  const { database, dir, url } = copy
  const env: Record<string, string> = { DATABASE_URL: url, CORRIGENDA_SECRET: SECRET, ...SECRETS }
  const deps = {
    ...database,
    audit: COMMAND_LINE,
    allowedHookHosts: [],
    allowedRepositoryHosts: ['github.com'],
    ...(await openInstance(database, { secret: SECRET, previousSecret: null })),
  }
  const run = async (text: string, ...args: string[]) => {
    await writeFile(path.join(dir, 'corrigenda.yaml'), text)
    return runCli(dir, ['apply', '-f', 'corrigenda.yaml', ...args], env)
  }
  /** Applies a declaration, which must succeed, and returns the output. */
  const apply = async (text: string, ...args: string[]) => {
    const { code, out, err } = await run(text, ...args)
    expect([code, err]).toEqual([0, ''])
    return out
  }
  const makeUser = (email: string, isVerified = true) =>
    insertAccount(database.prisma, { name: 'User', email, passwordHash: 'none' }, { isAdmin: false, isVerified })
  const getProject = async () => {
    const [project] = await listProjects(database)
    if (project === undefined) throw new Error('No project exists.')
    return project
  }
  return { ...database, deps, dir, env, run, apply, makeUser, getProject }
}
