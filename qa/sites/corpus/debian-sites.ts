import { listReleases } from './list-releases.ts'
import type { SiteRecord } from './site-record.ts'

/** Sites that Debian source packages contain. */
export const DEBIAN_SITES: readonly SiteRecord[] = [
  {
    id: 'rollup',
    source: 'debian',
    package: 'node-rollup',
    releases: listReleases({
      '3.29.5': 'sha256-338cf141c6c9621f82a6071c1a3b9ad47a006945b71f4322683bee76dfa610a4',
    }),
    layout: { framework: 'vitepress', content: ['docs'], exclude: ['docs/.vitepress'] },
    license: 'MIT',
    floors: { core: 97, more: 88 },
  },
  {
    id: 'graphql',
    source: 'debian',
    package: 'node-graphql',
    releases: listReleases({
      '16.8.1': 'sha256-476f83cef76a849a5f817017f17c80a6a5719f0af4a5c684617968729566686a',
    }),
    layout: { framework: 'docusaurus', content: ['website/docs'], hasNoMdx: true },
    license: 'MIT',
    floors: { core: 96, more: 94 },
  },
  {
    id: 'react-redux',
    source: 'debian',
    package: 'node-react-redux',
    releases: listReleases({
      '8.1.2+dfsg1+~cs1.2.3': 'sha256-b07f14ebb54c03a43fcccacc14ee3365ceb643dfbe4b0b24c44e2c80dcc01c3d',
    }),
    layout: { framework: 'docusaurus', content: ['docs'], hasNoMdx: true },
    license: 'MIT',
    floors: { core: 93, more: 88 },
  },
  {
    id: 'ent',
    source: 'debian',
    package: 'golang-entgo-ent',
    releases: listReleases({
      '0.11.3': 'sha256-6c857e9bad2fba71edc39e8bc4482131f767da0b419c70b25cab8f3ac3c5088e',
    }),
    layout: { framework: 'docusaurus', content: ['doc/md'], hasNoMdx: true },
    license: 'Apache-2.0',
    floors: { core: 97, more: 88 },
  },
  {
    id: 'mkdocs-material',
    source: 'debian',
    package: 'mkdocs-material',
    releases: listReleases({
      '9.6.4': 'sha256-b2a238aff906b1dca0430fe48d19ecbc45d08510fd5b7b84ef1e7082ac709ac6',
    }),
    layout: { framework: 'mkdocs', content: ['docs'] },
    license: 'MIT',
    floors: { core: 97, more: 80 },
  },
  {
    id: 'httpx',
    source: 'debian',
    package: 'httpx',
    releases: listReleases({
      '0.28.1': 'sha256-a18051d0df8fe82c89e950ed61afc2285f2603537130f062cc9b91dcb4dd4715',
    }),
    layout: { framework: 'mkdocs', content: ['docs'] },
    license: 'BSD-3-Clause',
    floors: { core: 97, more: 94 },
  },
  {
    id: 'uvicorn',
    source: 'debian',
    package: 'python-uvicorn',
    releases: listReleases({
      '0.32.0': 'sha256-784d962b41b0bd9b6265cabf0054cf55d03fffb882c901e77840894f36ea8a23',
    }),
    layout: { framework: 'mkdocs', content: ['docs'] },
    license: 'BSD-3-Clause',
    floors: { core: 97, more: 94 },
  },
  {
    id: 'ansible-lint',
    source: 'debian',
    package: 'ansible-lint',
    releases: listReleases({
      '25.6.1+really25.2.1': 'sha256-e674c211a5c0591843ec1db65142238ac809eaa7f57b2161439b82f306d5b9a3',
    }),
    layout: { framework: 'mkdocs', content: ['docs'] },
    license: 'MIT and GPL-3.0-or-later',
    floors: { core: 90, more: 66 },
  },
  {
    id: 'pymdown-extensions',
    source: 'debian',
    package: 'pymdown-extensions',
    releases: listReleases({
      '10.13': 'sha256-44bdc51b81508a5d4ff9f3c217cf7966a1ea37b9132e53bc79e2ea068c0c6ab8',
    }),
    // The second file is a copy of the configuration that MkDocs does not read.
    layout: { framework: 'mkdocs', content: ['docs/src/markdown'], exclude: ['docs/src/mkdocs.yml'] },
    license: 'MIT',
    floors: { core: 97, more: 71 },
  },
  {
    id: 'ntfy',
    source: 'debian',
    package: 'ntfy',
    releases: listReleases({
      '2.11.0': 'sha256-56b4c91d53e479e207b8064d894516030f608848c76c6d4eed2d37277d337e71',
    }),
    layout: { framework: 'mkdocs', content: ['docs'] },
    license: 'Apache-2.0 or GPL-2.0-only',
    floors: { core: 97, more: 94 },
  },
  {
    id: 'helix',
    source: 'debian',
    package: 'hx',
    releases: listReleases({
      '25.01.1': 'sha256-3f2364463e2e58b0e78ea16fd37a23a93ec2b086323b9ca1e6e310d86a9b3663',
    }),
    layout: { framework: 'mdbook', content: ['book/src'] },
    license: 'MPL-2.0',
    floors: { core: 97, more: 88 },
  },
  {
    id: 'cargo',
    source: 'debian',
    package: 'cargo',
    releases: listReleases({
      '0.66.0+ds1': 'sha256-a34dfd2d662a00e426351cde058d3bec039a6b751f7e9a31805e9fe000a98014',
    }),
    layout: { framework: 'mdbook', content: ['src/doc/src'] },
    license: 'MIT or Apache-2.0',
    floors: { core: 97, more: 76 },
  },
  {
    id: 'nix',
    source: 'debian',
    package: 'nix',
    releases: listReleases({
      '2.8.0': 'sha256-08b5a0427218de1906bf03004dcbe51d69c55a7b13ccc22c0bbd83ab3f2ed2f6',
    }),
    layout: { framework: 'mdbook', content: ['doc/manual/src'] },
    license: 'LGPL-2.1-or-later',
    floors: { core: 97, more: 94 },
  },
  {
    id: 'myst-parser',
    source: 'debian',
    package: 'myst-parser',
    releases: listReleases({
      '4.0.1': 'sha256-472eacf90753abcd65739fd1b88f9eb41b14008968f53da23882c4331f36b2b6',
    }),
    layout: { framework: 'sphinx', content: ['docs'] },
    license: 'MIT',
    floors: { core: 95, more: 81 },
  },
  {
    id: 'myst-nb',
    source: 'debian',
    package: 'myst-nb',
    releases: listReleases({
      '1.1.2': 'sha256-b2c9cd7e89abcdcec8054f17fa4514e092fc8ef404b1f47b96a05530ff237276',
    }),
    layout: { framework: 'sphinx', content: ['docs'] },
    license: 'BSD-3-Clause',
    floors: { core: 97, more: 88 },
  },
  {
    id: 'lxd',
    source: 'debian',
    package: 'lxd',
    releases: listReleases({
      '5.0.2': 'sha256-7e59ba843b43b6863b7b88076b1c15b699e7583f8ee575fe35f26ea1b7ce83a9',
      '5.0.2+git20231211.1364ae4': 'sha256-e03a147d53feed1f7c94217cac9f79a64747e4eb11a04a934c2b1d24b26ffc1e',
    }),
    layout: { framework: 'sphinx', content: ['doc'] },
    license: 'Apache-2.0',
    floors: { core: 97, more: 79 },
  },
  {
    id: 'incus',
    source: 'debian',
    package: 'incus',
    releases: listReleases({
      '6.0.4': 'sha256-3cf6d2602763f6744bf53aad3eb28e6f339b9e08b6a3076d8dd12ed1e780450f',
    }),
    layout: { framework: 'sphinx', content: ['doc'] },
    license: 'Apache-2.0',
    floors: { core: 95, more: 79 },
  },
  {
    id: 'jupyterhub',
    source: 'debian',
    package: 'jupyterhub',
    releases: listReleases({
      '5.2.1+ds1': 'sha256-3cc7748adc807c9450874de7ee0488f1c64e693a99ae11b69515ecd5cd1f5927',
    }),
    layout: { framework: 'sphinx', content: ['docs/source'] },
    license: 'BSD-3-Clause',
    floors: { core: 93, more: 81 },
  },
  {
    id: 'lego',
    source: 'debian',
    package: 'golang-github-xenolf-lego',
    releases: listReleases({
      '4.9.1': 'sha256-da5b71c0f7ba35c724dd329053c9e879893806904a8ce36299ad8465340ac5ad',
    }),
    layout: { framework: 'hugo', content: ['docs/content'] },
    license: 'MIT',
    floors: { core: 93, more: 94 },
  },
  {
    id: 'rclone',
    source: 'debian',
    package: 'rclone',
    releases: listReleases({
      '1.60.1+dfsg': 'sha256-d3ca2dbc0103a506beb9a51ba8fe102f0990bb7b8ec53e0d7d7a304896d2ab04',
    }),
    layout: { framework: 'hugo', content: ['docs/content'] },
    license: 'MIT',
    floors: { core: 93, more: 94 },
  },
  {
    id: 'hugo',
    source: 'debian',
    package: 'hugo',
    releases: listReleases({
      '0.111.3': 'sha256-b6eeb13d9ed2e5d5c6895bae56480bf0fec24a564ad9d17c90ede14a7b240999',
      '0.131.0': 'sha256-e72d8a4a90e2be8a73bb178a4e0135a1a2e2cd5c018d19fd886499715214143a',
    }),
    folder: 'docs',
    layout: { framework: 'hugo', content: ['content/en'] },
    license: 'Apache-2.0',
    floors: { core: 93, more: 63 },
  },
]
