import type { ConfigFiles, Located } from './config-files.ts'

/** Returns the configuration object inside `defineConfig` and wrappers such as `withMermaid`. */
export async function unwrap(files: ConfigFiles, at: Located): Promise<Located> {
  let current = await files.resolve(at)
  for (let hop = 0; hop < 5 && current.literal.kind === 'call'; hop += 1) {
    const argument = current.literal.args.at(-1)
    if (argument === undefined || !/^(?:define|with)/.test(current.literal.callee)) return current
    current = await files.resolve({ file: current.file, literal: argument })
  }
  return current
}
