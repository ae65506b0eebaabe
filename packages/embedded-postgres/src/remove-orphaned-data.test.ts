import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findDataOwner, writeDataOwner } from './data-owner.ts'
import { removeOrphanedData } from './remove-orphaned-data.ts'

const DAY = 24 * 60 * 60 * 1000

test('removes only data that no state folder has referred to for a week', async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-data-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const shared = path.join(dir, 'shared')
  const data = (digit: string) => path.join(shared, `data-${digit.repeat(16)}`)
  const [gone, used, renamed, running, unknown] = [data('a'), data('b'), data('c'), data('d'), data('e')]
  for (const at of [gone, used, renamed, running, unknown]) await mkdir(at, { recursive: true })
  await mkdir(`${gone}.initdb-0123456789abcdef`)
  await mkdir(path.join(shared, 'precious'))
  const missing = path.join(dir, 'missing')
  for (const at of [gone, running, path.join(shared, 'precious')]) await writeDataOwner(at, { stateDir: missing })
  await writeFile(path.join(running, 'postmaster.pid'), `${process.pid}\n${running}\n1\n5432\n`)
  const state = path.join(dir, 'state')
  await mkdir(state)
  await writeFile(path.join(state, 'postgres.json'), JSON.stringify({ dataDir: used, password: 'x' }))
  await writeDataOwner(used, { stateDir: state })
  await writeDataOwner(renamed, { stateDir: state })

  const before = await readdir(shared)
  await removeOrphanedData(shared, 1000)
  expect(await readdir(shared)).toEqual(before)
  // The renamed state folder is used again within the grace period.
  await removeOrphanedData(shared, 6 * DAY)
  expect(await readdir(shared)).toEqual(before)
  await writeDataOwner(renamed, { stateDir: path.join(dir, 'new-place') })
  await removeOrphanedData(shared, 8 * DAY)
  const kept = [used, renamed, running].flatMap((at) => [path.basename(at), `${path.basename(at)}.json`])
  expect(await readdir(shared)).toEqual([...kept, path.basename(unknown), 'precious', 'precious.json'].sort())
  expect(await findDataOwner(used)).toEqual({ stateDir: state })
})
