import { readFileSync } from 'node:fs'
import type { Env } from '@corrigenda/core/runtime'

const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSWORD)$|^(DATABASE|REDIS)_URL$/

/** Values of the variables that hold a secret by their name, and of the files that `NAME_FILE` points to: for the log to cut out. */
export function listEnvSecrets(env: Env): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (!value) return []
    if (SECRET_NAME.test(name)) return [value]
    return name.endsWith('_FILE') && SECRET_NAME.test(name.slice(0, -'_FILE'.length)) ? readText(value) : []
  })
}

function readText(file: string): string[] {
  try {
    return [readFileSync(file, 'utf8').trim()]
  } catch {
    // The settings' own check names a file that cannot be read.
    return []
  }
}
