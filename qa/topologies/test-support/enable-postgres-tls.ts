import { chown, copyFile, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import type { Certificates } from './make-certificates.ts'

/** Makes a running server accept only connections with TLS. */
export async function enablePostgresTls(url: string, { cert, key }: Certificates): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const show = async (name: string) => String((await client.query(`SHOW ${name}`)).rows[0]?.[name])
  const data = await show('data_directory')
  // The server reads its key only if it owns the file.
  const { uid, gid } = await stat(path.join(data, 'PG_VERSION'))
  for (const [from, name] of [
    [cert, 'server.crt'],
    [key, 'server.key'],
  ] as const) {
    await copyFile(from, path.join(data, name))
    await chown(path.join(data, name), uid, gid)
  }
  const access = await show('hba_file')
  await writeFile(access, (await readFile(access, 'utf8')).replace(/^host\b/gm, 'hostssl'))
  await client.query('ALTER SYSTEM SET ssl = on')
  await client.query('SELECT pg_reload_conf()')
  await client.end()
}
