import { docusaurusSite } from './docusaurus.ts'
import { mintlifySite } from './mintlify.ts'
import { vitepressSite } from './vitepress.ts'

/** One repository, three sites: Mintlify in `docs/`, Docusaurus in `packages/sdk/website/`, VitePress in `packages/cli/docs/`. */
export function monorepoSite(): Record<string, string> {
  const place = (files: Record<string, string>, folder: string) =>
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]))
  return {
    ...mintlifySite(),
    ...place(docusaurusSite(), 'packages/sdk'),
    ...place(vitepressSite(), 'packages/cli'),
  }
}
