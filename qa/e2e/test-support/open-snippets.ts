import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect } from 'vitest'
import { readSnippets } from './read-snippets.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')

/** A running command and its output so far. */
interface Running {
  readonly output: () => string
  /** Rejects if the command fails. */
  readonly ended: Promise<string>
  stop(): Promise<void>
}

/**
 * Opens the snippets of a page. They run in an empty folder with the repository's packages.
 * @param replaced text of the page that a test cannot use, such as ports, with its replacement
 */
export async function openSnippets(page: string, replaced: Readonly<Record<string, string>>) {
  const snippets = readSnippets(await readFile(path.join(ROOT, page), 'utf8'))
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-snippets-'))
  await symlink(path.join(ROOT, 'packages'), path.join(dir, 'packages'))
  // Imports in snippets are resolved as in this package.
  await symlink(path.join(ROOT, 'qa/node_modules'), path.join(dir, 'node_modules'))
  let count = 0

  const start = (command: string, args: readonly string[], env: Readonly<Record<string, string>>): Running => {
    const child = spawn(command, args, { cwd: dir, env: { PATH: process.env.PATH ?? '', HOME: dir, ...env } })
    let output = ''
    let errors = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.stderr.on('data', (chunk) => {
      errors += chunk
    })
    const closed = new Promise<number | null>((resolve) => child.on('close', resolve))
    const ended = closed.then((code) => {
      if (code !== 0) throw new Error(`${command} ended with ${code}: ${errors || output}`)
      return output
    })
    // The caller of a server does not wait for its end.
    ended.catch(() => {})
    return {
      output: () => output,
      ended,
      async stop() {
        child.kill()
        await closed
      },
    }
  }
  return {
    dir,
    start,
    list: snippets.map(({ section, language }) => `${section}: ${language}`),
    /** Returns the snippets of a section in one language. */
    find(section: string, language: string): string[] {
      const found = snippets.filter((one) => one.section === section && one.language === language)
      expect(found.length, `${section}: ${language}`).toBeGreaterThan(0)
      return found.map(({ code }) =>
        Object.entries(replaced).reduce((text, [from, to]) => text.replaceAll(from, to), code),
      )
    },
    /** Runs a module with Node. */
    async startModule(code: string, env: Readonly<Record<string, string>>): Promise<Running> {
      count += 1
      const file = path.join(dir, `snippet-${count}.mjs`)
      await writeFile(file, code)
      return start(process.execPath, [file], env)
    },
    close: () => rm(dir, { recursive: true, force: true }),
  }
}
