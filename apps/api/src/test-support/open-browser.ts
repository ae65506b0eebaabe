import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Chromium or Chrome on this machine: what `CHROMIUM_PATH` says, else the first on the search path. Null when there is none. */
export function findBrowser(env: NodeJS.ProcessEnv = process.env): string | null {
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH
  const folders = (env.PATH ?? '').split(path.delimiter)
  return folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name))).find(existsSync) ?? null
}

/** A browser that can reach nothing but this machine: every other name leads nowhere. */
export function openBrowser(executablePath: string): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1']
  return chromium.launch({ executablePath, args })
}
