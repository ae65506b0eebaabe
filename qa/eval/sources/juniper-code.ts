/** Code of the bundler that the site `juniper` documents, with an old version beside the current one. */
export const JUNIPER: Readonly<Record<string, string>> = {
  'package.json': '{ "private": true, "workspaces": ["packages/*"] }\n',
  'packages/core/src/options.ts': `import { choice, flag, text } from './schema.js'

/** Options of the configuration file. The first argument is the default. */
export const options = {
  outDir: text('dist'),
  minify: flag(true),
  sourcemap: choice('linked', ['linked', 'inline', 'none']),
}
`,
  'packages/core/src/run-hooks.ts': `import { limits } from '@juniper/native'

export async function runHooks(plugins, hook, input) {
  let value = input
  for (const plugin of plugins) {
    const signal = AbortSignal.timeout(limits.hook)
    value = (await plugin[hook]?.(value, { signal })) ?? value
  }
  return value
}
`,
  'packages/core/test/run-hooks.test.ts': `import { advance, expect, it } from './clock.js'
import { runHooks } from '../src/run-hooks.js'

const slow = { name: 'slow', load: () => new Promise(() => {}) }

it('aborts a hook after 20 seconds', async () => {
  const result = runHooks([slow], 'load', 'a.css')
  advance({ seconds: 19.9 })
  expect(result).toBePending()
  advance({ seconds: 0.1 })
  await expect(result).rejects.toThrow('hook timed out')
})
`,
  'packages/legacy/src/options.ts': `import { choice, flag, text } from './schema.js'

/** Options of version 1, which is no longer released. */
export const options = {
  outDir: text('build'),
  minify: flag(false),
  sourcemap: choice('inline', ['inline', 'none']),
}
`,
}
