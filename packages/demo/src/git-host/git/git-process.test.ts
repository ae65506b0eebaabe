import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const MODULE = new URL('../../../dist/git-host/git/git-process.js', import.meta.url).href

// Runs in a separate process, because this process may already have started the helper elsewhere.
const SCRIPT = `
  import { mkdtempSync, rmSync } from 'node:fs'
  import { tmpdir } from 'node:os'
  import { join } from 'node:path'
  import { runGitProcess } from ${JSON.stringify(MODULE)}
  const run = () => runGitProcess({ args: ['--version'], env: { PATH: process.env.PATH }, input: Buffer.alloc(0) })
  const dir = mkdtempSync(join(tmpdir(), 'git-process-'))
  process.chdir(dir)
  const codes = [(await run()).code]
  process.chdir('/')
  rmSync(dir, { recursive: true })
  const end = await runGitProcess({
    args: ['rev-parse', '--git-dir'],
    env: { PATH: process.env.PATH, GIT_DIR: process.argv[1] },
    input: Buffer.alloc(0),
  })
  codes.push(end.code)
  console.log(codes.join(' '), Buffer.from(end.stderr).toString())
`

it("runs git after the first call's working directory has been deleted", () => {
  const repository = fileURLToPath(new URL('../../../../../.git', import.meta.url))
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', SCRIPT, repository], {
    encoding: 'utf8',
  })
  expect(printed.trim()).toBe('0 0')
})
