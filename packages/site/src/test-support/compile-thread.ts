import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import ts from 'typescript'

const source = fileURLToPath(new URL('..', import.meta.url))

/**
 * Compiles the checks' thread and its imports to JavaScript in a directory, because threads cannot
 * load TypeScript. Returns the URL of the module.
 */
export function compileThread(dir: string, more: readonly string[] = []): URL {
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}')
  symlinkSync(join(source, '../node_modules'), join(dir, 'node_modules'))
  const left = ['thread/check-thread.ts', ...more].map((path) => join(source, path))
  const seen = new Set(left)
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), {
      compilerOptions: {
        target: ts.ScriptTarget.ES2023,
        module: ts.ModuleKind.ESNext,
        rewriteRelativeImportExtensions: true,
        verbatimModuleSyntax: true,
      },
    })
    const target = join(dir, relative(source, file).replace(/\.ts$/, '.js'))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, outputText)
    for (const [, name = ''] of outputText.matchAll(/from ['"](\.[^'"]+)\.js['"]/g)) {
      const next = `${resolve(dirname(file), name)}.ts`
      if (!seen.has(next)) left.push(next)
      seen.add(next)
    }
  }
  return pathToFileURL(join(dir, 'thread/check-thread.js'))
}
