import { readTree } from '@corrigenda/demo'

const FOLDER = new URL('../../sites/', import.meta.url)

/**
 * One repository that contains three sites: Mintlify at the root, and Docusaurus and VitePress in
 * packages.
 */
const MONOREPO = { mintlify: '', docusaurus: 'packages/sdk/', vitepress: 'packages/cli/' } as const

/** Folders in `packages/testkit/sites`. A test in packages/site requires a folder per framework. */
const FRAMEWORKS = [
  'mintlify',
  'docusaurus',
  'mkdocs',
  'vitepress',
  'starlight',
  'nextra',
  'mdbook',
  'gitbook',
  'fern',
  'hugo',
  'sphinx',
  'plain',
] as const

type Fixtures = Record<(typeof FRAMEWORKS)[number] | 'monorepo', Record<string, string>>

/**
 * Reads one documentation repository per framework, as a map from path to text. The repositories
 * have no broken links or other issues.
 */
export function readSiteFixtures(): Fixtures {
  const sites = FRAMEWORKS.map((name) => [name, readTree(new URL(`${name}/`, FOLDER))] as const)
  const fixtures = Object.fromEntries(sites) as Omit<Fixtures, 'monorepo'>
  const parts = Object.entries(MONOREPO).flatMap(([name, prefix]) =>
    Object.entries(fixtures[name as keyof typeof MONOREPO]).map(([path, text]) => [prefix + path, text]),
  )
  return { ...fixtures, monorepo: Object.fromEntries(parts) }
}
