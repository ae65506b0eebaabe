import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openWalk } from './open-walk.ts'
import { type ReadmeCommand, readCommands } from './read-commands.ts'
import { recognize } from './recognize.ts'
import type { Env } from './shell.ts'
import type { Verdict } from './verdict.ts'

interface ReadmeInput {
  /** Repository folder. Its newest commit is cloned. */
  readonly repository: string
  readonly env: Env
  /** Runs the test command on only one test file. */
  readonly short: boolean
  print(line: string): void
}

const BUILD_SITE: ReadmeCommand = { line: 0, text: 'npx -y pnpm@12 docs:build', comment: '' }

/** Corrigenda settings and the variables that pnpm sets for scripts. */
const DROPPED =
  /^(ANTHROPIC|AWS|CORRIGENDA|GITHUB|MODEL|OIDC)|^(DATABASE_URL|REDIS_URL|PORT|PUBLIC_URL|TEST_COUNTS|INIT_CWD)$|^p?npm_(?!config_(registry|cafile|.*proxy)$)/

/**
 * Runs every command of README.md in a new clone and then builds the documentation site there.
 * @returns true if no command failed
 */
export async function runReadme({ repository, env, short, print }: ReadmeInput): Promise<boolean> {
  const commands = readCommands(await readFile(path.join(repository, 'README.md'), 'utf8'))
  const unknown = commands.filter(({ text }) => recognize(text) === null)
  for (const { line, text } of unknown)
    print(`FAIL    README.md:${line}: ${text}\n        unknown command: add it to qa/readme`)
  if (unknown.length > 0) return false
  const folder = await mkdtemp(path.join(tmpdir(), 'corrigenda-readme-'))
  const walk = openWalk({ repository, folder, env: toCleanEnv(env), short })
  const counts = { ok: 0, FAIL: 0, skipped: 0 }
  try {
    for (const command of [...commands, BUILD_SITE]) {
      const kind = recognize(command.text)
      if (kind === null) throw new Error(`Unknown command: ${command.text}`)
      const startedAt = performance.now()
      const { state, text } = await walk.run[kind](command).catch(toFailure)
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      counts[state] += 1
      print(`${state.padEnd(7)} ${command.line === 0 ? 'site' : `README.md:${command.line}`}: ${command.text}`)
      print(`        ${state === 'skipped' ? '' : `${seconds} s: `}${text.replaceAll('\n', '\n        ')}`)
    }
  } finally {
    await walk.close()
    await rm(folder, { recursive: true, force: true })
  }
  print(`commands: ${counts.ok} succeeded, ${counts.FAIL} failed, ${counts.skipped} skipped`)
  return counts.FAIL === 0
}

const toFailure = (error: unknown): Verdict => ({
  state: 'FAIL',
  text: error instanceof Error ? error.message : String(error),
})

/** Returns the environment that a new terminal would have. */
function toCleanEnv(env: Env): Env {
  const kept = Object.entries(env).filter(([name]) => !DROPPED.test(name))
  const folders = (env.PATH ?? '').split(path.delimiter).filter((folder) => !folder.includes('node_modules'))
  return { ...Object.fromEntries(kept), PATH: folders.join(path.delimiter), CI: 'true', TURBO_TELEMETRY_DISABLED: '1' }
}
