import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openStateFile } from './host-state.ts'

const open = () => {
  const dir = mkdtempSync(join(tmpdir(), 'corrigenda-state-'))
  const file = join(dir, 'state.json')
  return { dir, file, writer: openStateFile(file) }
}

test('writes pending changes on close and ignores later ones', async () => {
  const { dir, file, writer } = open()
  writer.save()
  writer.close()
  expect(existsSync(file)).toBe(true)
  rmSync(file)
  writer.save()
  await sleep(200)
  expect(existsSync(file)).toBe(false)
  rmSync(dir, { recursive: true })
})

test('does not recreate a removed folder', async () => {
  const { dir, writer } = open()
  writer.save()
  rmSync(dir, { recursive: true })
  await sleep(200)
  expect(existsSync(dir)).toBe(false)
})
