import { randomBytes } from 'node:crypto'
import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Command } from 'commander'
import type { CommandContext } from '../environment/command-context.ts'
import { hasModelKey } from '../environment/resolve-environment.ts'
import { printAnswer } from '../terminal/print.ts'

/** Values that are generated if they are missing. The password is part of a URL. */
const GENERATED: Readonly<Record<string, () => string>> = {
  CORRIGENDA_SECRET: () => randomBytes(32).toString('hex'),
  POSTGRES_PASSWORD: () => randomBytes(24).toString('hex'),
}
/** Values of other services, which a person sets. */
const GIVEN: Readonly<Record<string, string>> = {
  ANTHROPIC_API_KEY: 'API key for the Messages API. Not needed with another provider: docs/providers.md',
  GITHUB_TOKEN: 'Token with read and write access to contents and pull requests: docs/github.md',
}
const HEAD = '# Settings of Corrigenda. docs/configuration.md lists all of them.\n'

/** Adds `init`. */
export function addInitCommand(program: Command, context: CommandContext): void {
  program
    .command('init')
    .description('write .env with generated secrets for Docker Compose; keeps all values that it contains')
    .option('--json', 'print one JSON object')
    .action(async (options: { json?: boolean }) => {
      const file = path.join(context.cwd, '.env')
      const before = (await readIfExists(file)) ?? HEAD
      const { text, added } = addMissing(before)
      if (added.length > 0) await replaceFile(file, text)
      else await chmod(file, 0o600)
      const values = parse(text)
      const missing = [
        ...(hasModelKey(values) ? [] : ['ANTHROPIC_API_KEY']),
        ...(values.GITHUB_TOKEN || values.GITHUB_APP_ID ? [] : ['GITHUB_TOKEN']),
      ]
      printAnswer(context, options.json, { file, added, missing }, [
        added.length > 0 ? `Wrote ${added.join(', ')} to ${file}.` : `${file} is complete. Nothing was changed.`,
        'Keep a copy of CORRIGENDA_SECRET outside the backups. A backup cannot be used without it.',
        'Next:',
        ...(missing.length > 0 ? [`  set ${missing.join(' and ')} in .env`] : []),
        '  docker compose up -d --wait',
        '  docker compose run --rm api project create --name Docs --repository https://github.com/OWNER/NAME',
        '  docker compose run --rm api key create --project prj_… --name my-backend',
      ])
    })
}

/** Fills in empty generated values, and appends names that the text does not contain. */
function addMissing(before: string): { text: string; added: string[] } {
  const values = parse(before)
  const added: string[] = []
  let text = before === '' || before.endsWith('\n') ? before : `${before}\n`
  for (const [name, generate] of Object.entries(GENERATED)) {
    if (values[name]) continue
    added.push(name)
    const line = new RegExp(`^(?:export\\s+)?${name}[ \\t]*=.*$`, 'm')
    text = line.test(text) ? text.replace(line, `${name}=${generate()}`) : `${text}${name}=${generate()}\n`
  }
  for (const [name, what] of Object.entries(GIVEN)) {
    if (Object.hasOwn(values, name)) continue
    added.push(name)
    text += `# ${what}\n${name}=\n`
  }
  return { text, added }
}

/** Reads `NAME=value` lines as Compose does, without quotes. */
function parse(text: string): Record<string, string> {
  const lines = text.matchAll(/^(?:export\s+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(.*)$/gm)
  return Object.fromEntries(
    [...lines].map(([, name = '', value = '']) => [name, value.trim().replace(/^["']|["']$/g, '')]),
  )
}

const readIfExists = (file: string): Promise<string | null> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new Error(`Cannot read ${file} (${error.code}). Make it readable by this account.`)
  })

/** Replaces the file at once, so that an interruption leaves the old one. */
async function replaceFile(file: string, text: string): Promise<void> {
  const partial = `${file}.${process.pid}.partial`
  await writeFile(partial, text, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`Cannot write to ${path.dirname(file)} (${error.code}). Make the folder writable by this account.`)
  })
  await rename(partial, file)
}
