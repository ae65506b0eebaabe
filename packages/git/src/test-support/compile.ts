import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import ts from 'typescript'

const source = fileURLToPath(new URL('../..', import.meta.url))

/** The git modules as JavaScript in a directory, for tests that need processes of their own. Returns the URL of its `git` folder. */
export function compileGit(dir: string, more: readonly string[] = ['policy']): URL {
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}')
  symlinkSync(join(source, '../node_modules'), join(dir, 'node_modules'))
  const folders = ['git', 'git/test-support', ...more]
  const files = folders.flatMap((folder) => readdirSync(join(source, folder)).map((name) => join(folder, name)))
  for (const file of [...files, 'agent/workspace.ts']) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts') || file.endsWith('compile.ts')) continue
    const target = join(dir, file.replace(/\.ts$/, '.js'))
    mkdirSync(dirname(target), { recursive: true })
    const { outputText } = ts.transpileModule(readFileSync(join(source, file), 'utf8'), {
      compilerOptions: {
        target: ts.ScriptTarget.ES2023,
        module: ts.ModuleKind.ESNext,
        rewriteRelativeImportExtensions: true,
        verbatimModuleSyntax: true,
      },
    })
    writeFileSync(target, outputText)
  }
  return pathToFileURL(join(dir, 'git/'))
}
