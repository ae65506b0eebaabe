// Generates the typed client. The client needs no engine, but the Prisma CLI downloads a schema
// engine unless PRISMA_SCHEMA_ENGINE_BINARY is set. Setting it to any executable prevents the
// download, so that machines without access to the download host can build.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const standIn = ['/bin/true', '/usr/bin/true'].find(existsSync) ?? process.execPath
const env = {
  PRISMA_SCHEMA_ENGINE_BINARY: standIn,
  ...process.env,
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  CHECKPOINT_DISABLE: '1',
}
const prisma = path.join(root, 'node_modules/prisma/build/index.js')
const result = spawnSync(process.execPath, [prisma, 'generate'], { cwd: root, env, encoding: 'utf8' })
if (result.status !== 0) {
  process.stderr.write(`${result.stdout}${result.stderr}`)
  process.exit(result.status ?? 1)
}
