import { readFileSync } from 'node:fs'
import type { Env } from '@corrigenda/core/runtime'

const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSWORD)$|^(DATABASE|REDIS)_URL$/

/**
 * Lists the values to redact from the log: variables whose names indicate a secret, and the
 * contents of the files that the corresponding `NAME_FILE` variables refer to.
 */
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
    // Settings validation reports unreadable files.
    return []
  }
}
