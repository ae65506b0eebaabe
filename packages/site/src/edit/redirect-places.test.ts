import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { expect, it } from 'vitest'
import { buildConfigFiles } from '../config/config-files.ts'
import { readSites } from '../sites/read-sites.ts'
import { toSiteSource } from '../sites/to-site-source.ts'
import { addRedirect } from './add-redirect.ts'

it('redirects in TOML are not edited', async () => {
  const files = {
    'docs.json': '{"navigation":{"pages":["a"]}}',
    'a.mdx': 'x\n',
    'netlify.toml': '[[redirects]]\nfrom = "/b"\nto = "/a"\n',
  }
  const source = toSiteSource(buildMemoryWorkspace(files), Object.keys(files))
  const [site] = await readSites(source)
  const file = await buildConfigFiles(source).open('netlify.toml')
  if (site === undefined || file === null) throw new Error('no site')
  expect(site.redirects.list.map(({ line, source: from }) => `${line} ${from}`)).toEqual(['2 /b'])
  const wanted = { source: '/c', destination: '/a', page: 'c.mdx', newPage: 'a.mdx' }
  expect(addRedirect(site, file, wanted)).toBeNull()
  expect(addRedirect(site, file, { ...wanted, source: '/b' })).toBeNull()
})
