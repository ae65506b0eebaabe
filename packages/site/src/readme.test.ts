import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'

test('the example of the README moves a page and reports a broken link', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'site-readme-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const print = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => print.mockRestore())
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const [, example = ''] = /^```js\n(import [\s\S]*?)^```$/m.exec(readme) ?? []
  const entry = JSON.stringify(fileURLToPath(new URL('./index.ts', import.meta.url)))
  const file = join(folder, 'example.mjs')
  await writeFile(file, example.replace("'@corrigenda/site'", entry))
  await import(/* @vite-ignore */ pathToFileURL(file).href)
  const output = print.mock.calls.flat().join('\n')
  expect(output).toContain('MkDocs in the root')
  expect(output).toContain('[install it](setup.md)')
  expect(output).toContain('docs/setup.md:3: [links] The link "usage.md" points to a page or file that does not exist.')
})
