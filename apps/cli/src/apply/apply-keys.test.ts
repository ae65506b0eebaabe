import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openApply, toDeclaration } from './test-support/open-apply.ts'

test('a key that differs is replaced, and the old one is revoked', async () => {
  const { apply, run, prisma, dir } = await openApply()
  const keys = (expires: string, ...more: string[]) =>
    toDeclaration(
      'keys:',
      `  - { name: ci, scopes: [jobs:read], expires: ${expires}, secretOutput: { file: ci.key }${more.join('')} }`,
    )
  await apply(keys('30d'))
  const before = await readFile(path.join(dir, 'ci.key'), 'utf8')
  const out = await apply(keys('7d', ', addresses: [203.0.113.7]'))
  expect(out).toContain('expiresInDays: 30 → 7')
  expect(out).toContain('addresses: [] → ["203.0.113.7/32"]')
  const after = await readFile(path.join(dir, 'ci.key'), 'utf8')
  expect(after).not.toBe(before)
  const rows = await prisma.apiKey.findMany({ orderBy: { createdAt: 'asc' } })
  expect(rows.map(({ id, revokedAt }) => [before.includes(id), after.includes(id), revokedAt !== null])).toEqual([
    [true, false, true],
    [false, true, false],
  ])
  expect(await apply(keys('7d', ', addresses: [203.0.113.7/32]'))).toBe('No changes.\n')
  // A secret that cannot be stored is not created.
  await writeFile(path.join(dir, 'blocked'), '')
  const blocked = keys('9d').replace('ci.key', 'blocked/ci.key')
  expect(await run(blocked)).toMatchObject({
    code: 1,
    err: expect.stringContaining('blocked/ci.key cannot be written'),
  })
  expect(await prisma.apiKey.count()).toBe(2)
  // Nor is the old one revoked.
  expect(await prisma.apiKey.count({ where: { revokedAt: null } })).toBe(1)
})

test('secrets created before a failure are printed, and the next run continues', async () => {
  const { apply, run, prisma, dir } = await openApply()
  const text = toDeclaration(
    'keys:',
    '  - { name: a, scopes: [jobs:read], expires: never, secretOutput: print }',
    '  - { name: b, scopes: [jobs:read], expires: never, secretOutput: { file: blocked/b.key } }',
  )
  await writeFile(path.join(dir, 'blocked'), '')
  const failed = await run(text)
  expect(failed.code).toBe(1)
  expect(failed.out).toMatch(/^key a of P: cgd_\w{12}_\w{38}$/m)
  expect(failed.out).toContain('The command failed before all changes were made.')
  expect(failed.err).toMatch(/^Project P, key b: The file blocked\/b\.key cannot be written \((ENOTDIR|EEXIST)\)/)
  const out = await apply(text.replace('blocked/', ''))
  expect(out).toMatch(/^project P .*\n {2}\+ key b\n/)
  expect(await prisma.apiKey.count()).toBe(2)
})

test('a key that cannot be created leaves no file', async () => {
  const { run, pool, dir } = await openApply()
  await pool.query('ALTER TABLE api_keys ADD CONSTRAINT none CHECK (false)')
  const text = toDeclaration(
    'keys:',
    '  - { name: a, scopes: [jobs:read], expires: 1d, secretOutput: { file: a.key } }',
  )
  expect(await run(text)).toMatchObject({ code: 1, err: expect.stringMatching(/^Project P, key a: /) })
  expect((await readdir(dir)).filter((name) => name.startsWith('a.key'))).toEqual([])
})

test('--json prints the changes and the created secrets, but not the values of references', async () => {
  const { apply, getProject } = await openApply()
  const key = '  - { name: a, scopes: [jobs:read], expires: never, secretOutput: print }'
  const text = toDeclaration('token: { env: HANDBOOK_TOKEN }', 'keys:', key)
  const printed = JSON.parse(await apply(text, '--json'))
  const { id } = await getProject()
  expect(printed).toEqual({
    changes: 3,
    projects: [
      {
        id,
        name: 'P',
        kept: [],
        changes: [
          {
            action: 'create',
            subject: 'token',
            fields: [{ field: 'value', before: null, after: 'from HANDBOOK_TOKEN' }],
          },
          { action: 'create', subject: 'key a', fields: expect.any(Array) },
        ],
      },
    ],
    issued: [{ project: 'P', subject: 'key a', secret: expect.stringMatching(/^cgd_/) }],
  })
  expect(JSON.parse(await apply(text, '--json'))).toMatchObject({ changes: 0, issued: [] })
})
