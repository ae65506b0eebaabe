import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { ensureSigningKey, openInstance, removeSigningKey } from '@corrigenda/core/instance'
import { ensureSshKeygen, scriptPrompt } from '@corrigenda/testkit'
import {
  editPage,
  FULL,
  openTestService,
  type TestService,
} from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { RUN_POINTS, type RunPoint } from '@corrigenda/worker/internal/run/run-point'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
let service: TestService
let publicKey: string
let program: string

const secrets = () => openInstance(service.database, { secret: service.config.secret, previousSecret: null })
const createKey = async () => ensureSigningKey({ ...service.database, ...(await secrets()) })

beforeAll(async () => {
  program = await ensureSshKeygen()
  service = await openTestService('postgres')
  publicKey = (await createKey()).publicKey
})
afterAll(() => service.close())

/** Verifies a commit as a reviewer does, with a list of allowed signers. */
async function verify(commit: string, signers: string): Promise<string> {
  const file = path.join(service.dir, 'allowed-signers')
  await writeFile(file, signers)
  const settings = ['-c', `gpg.ssh.allowedSignersFile=${file}`, '-c', `gpg.ssh.program=${program}`]
  const dir = path.join(service.dir, 'repositories', `${FULL}.git`)
  const { stderr } = await run('git', ['-C', dir, ...settings, 'verify-commit', commit])
  return stderr
}

async function publish(prompt: string, n: number) {
  const { id } = await service.create(scriptPrompt(prompt, [editPage(n, `${prompt} is done.`)]))
  return { id, job: await service.ended(id) }
}
const headOf = (id: string) => service.host.git(FULL, 'rev-parse', `corrigenda/${id}`)

test('git accepts the signature of a commit, and rejects another signer', async () => {
  const worker = await service.startWorker()
  const { id, job } = await publish('Sign', 1)
  expect(job.outcome).toBe('changed')
  const commit = await headOf(id)
  expect(await verify(commit, `corrigenda ${publicKey}`)).toMatch(
    /^Good "git" signature for corrigenda with ED25519 key/,
  )
  const other = publicKey.replace(/.{8}(?= corrigenda$)/, 'AAAAAAAA')
  await expect(verify(commit, `corrigenda ${other}`)).rejects.toThrow(/verify-commit/)
  expect(await service.host.git(FULL, 'fsck', '--strict', '--no-dangling', commit)).not.toMatch(/error/)
  await worker.close()
})

const POINTS = RUN_POINTS.slice(RUN_POINTS.indexOf('run.frozen'), RUN_POINTS.indexOf('run.finished'))

test.each(POINTS)('a worker that stops at %s leaves one commit, even if the key is deleted', async (at: RunPoint) => {
  const key = await createKey()
  let resume = () => {}
  const stopped = new Promise<void>((resolve) => {
    resume = resolve
  })
  let reach = () => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const zombie = await service.startWorker({ concurrency: 1 }, async (point) => {
    if (point !== at) return
    reach()
    await stopped
  })
  const { id } = await service.create(scriptPrompt(`Stop at ${at}`, [editPage(2, `Stopped at ${at}.`)]))
  await reached
  const { frozen } = await service.database.prisma.run.findFirstOrThrow({ where: { jobId: id } })
  const commit = (frozen as { commit: string }).commit
  await removeSigningKey(service.database)
  const successor = await service.startWorker({ concurrency: 1 })
  // The worker that stopped renews its lease while its process runs.
  const expireLease = () =>
    service.database.prisma
      .$executeRaw`UPDATE runs SET lease_until = now() - interval '1 second' WHERE job_id = ${id} AND attempt = 1`
  await expect.poll(expireLease).toBe(0)
  const job = await service.ended(id)
  resume()
  await Promise.all([zombie.close(), successor.close()])
  expect([job.outcome, await headOf(id)]).toEqual(['changed', commit])
  expect(service.host.pulls(FULL).filter(({ headRef }) => headRef === `corrigenda/${id}`)).toHaveLength(1)
  expect(await verify(commit, `corrigenda ${key.publicKey}`)).toMatch(/^Good "git" signature/)
})

test('does not sign without a key', async () => {
  await removeSigningKey(service.database)
  await service.startWorker()
  const { id } = await publish('Plain', 3)
  expect(await service.host.git(FULL, 'cat-file', 'commit', await headOf(id))).not.toMatch(/gpgsig/)
})
