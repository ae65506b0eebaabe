import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

const MODULE = new URL('../../../dist/git-host/git/run-git.js', import.meta.url).href

// Runs in a separate process, because this process may already have started the helper elsewhere.
const SCRIPT = `
  import { mkdtempSync, rmSync } from 'node:fs'
  import { tmpdir } from 'node:os'
  import { join } from 'node:path'
  import { runGit } from ${JSON.stringify(MODULE)}
  const dir = mkdtempSync(join(tmpdir(), 'run-git-'))
  process.chdir(dir)
  const outputs = [await runGit('/', '--version')]
  process.chdir('/')
  rmSync(dir, { recursive: true })
  outputs.push(await runGit('/', '--version'))
  console.log(outputs.join(' '))
`

it("runs git after the first call's working directory has been deleted", () => {
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', SCRIPT], { encoding: 'utf8' })
  expect(printed).toMatch(/^git version .* git version /)
})
