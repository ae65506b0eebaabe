import { rm } from 'node:fs/promises'
import { openDatabase } from '@corrigenda/core/db'
import { expect, inject, test } from 'vitest'
import { makeFolder } from '../test-support/open-folder.ts'
import { startProcess } from '../test-support/start-process.ts'

test('does not sign visitors in automatically if the database is external, even with the demo Git host and model', async () => {
  const dir = await makeFolder()
  const name = `serve_${process.pid}`
  const admin = openDatabase({ url: inject('postgresUrl'), maxConnections: 1, onError: () => {} })
  await admin.pool.query(`CREATE DATABASE ${name} TEMPLATE corrigenda_template STRATEGY file_copy`)
  const running = startProcess(dir, ['serve'], {
    DATABASE_URL: inject('postgresUrl').replace(/\/corrigenda$/, `/${name}`),
    CORRIGENDA_SECRET: 'a-secret-for-the-serve-test-0123456789abcdef',
    PORT: '0',
  })
  try {
    const found = () => /"url":"(http:\/\/[^"]+)"[^\n]*api listening/.exec(running.output())?.[1]
    await expect.poll(found, { interval: 50 }).toBeTruthy()
    // The same setup as the quickstart, except for the external database.
    expect(running.output()).toMatch(/"part":"Git host","what":"local/)
    // On a busy machine, the API may respond with 503 right after it starts.
    const visit = async () => {
      const response = await fetch(`${found()}/dashboard/api/session`)
      const { user, demo, setup } = JSON.parse(await response.text())
      return { status: response.status, cookies: response.headers.getSetCookie(), user, demo, setup }
    }
    await expect.poll(visit).toEqual({ status: 200, cookies: [], user: null, demo: false, setup: 'open' })
  } finally {
    await running.stop()
    await admin.pool.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.close()
    await rm(dir, { recursive: true, force: true })
  }
})
