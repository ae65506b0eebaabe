import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import ts from 'typescript'

const source = fileURLToPath(new URL('..', import.meta.url))

/**
 * Compiles this package's sources to JavaScript in `dir`, for tests that start separate processes.
 * Returns the URL of the folder that corresponds to `src`.
 */
export function compileGit(dir: string): URL {
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}')
  symlinkSync(join(source, '../node_modules'), join(dir, 'node_modules'))
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
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
  return pathToFileURL(`${dir}/`)
}
