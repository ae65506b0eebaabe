import type { GitHost } from '@corrigenda/testkit'

export const SOURCE = 'acme/api'
export const FLAGS = 'src/flags.ts'

const flags = (...names: string[]): string =>
  `${['export const flags = {', ...names.map((name) => `  ${name}: { default: '${name}-default' },`), '}'].join('\n')}\n`

/** Creates the code of a product whose flags have changed twice, and returns its commits. */
export async function createSourceRepository(host: GitHost) {
  const [old = 0, recent = 0] = [90, 40].map((days) => Date.now() - days * 86_400_000)
  await host.createRepository(SOURCE, {
    commits: [
      { message: 'feat: flags', files: toFiles({ [FLAGS]: flags('color') }), at: new Date(old) },
      { message: 'feat: add verbose', files: toFiles({ [FLAGS]: flags('color', 'verbose') }), at: new Date(recent) },
    ],
  })
  const before = await host.git(SOURCE, 'rev-parse', 'main')
  const head = await pushFlags(host, 'main', 'feat: add json (#7)', 'color', 'verbose', 'json')
  return { before, head, first: await host.git(SOURCE, 'rev-parse', 'main~2') }
}

/** Pushes a commit that changes the flags, and returns it. */
export function pushFlags(host: GitHost, branch: string, message: string, ...names: string[]): Promise<string> {
  return host.pushCommit(SOURCE, branch, { message, files: toFiles({ [FLAGS]: flags(...names) }) })
}

const toFiles = (files: Record<string, string>) =>
  new Map(Object.entries(files).map(([path, data]) => [path, { data }]))
