import type { SiteRecord } from './site-record.ts'

/** The sites of the corpus. Their archives are downloaded on demand. */
export const SITES: readonly SiteRecord[] = [
  {
    id: 'directus',
    source: 'npm',
    package: '@directus/docs',
    releases: [
      {
        version: '9.22.0',
        hash: 'sha512-L4C7AHi6/wC2Y4CgI3NJnS1pWXKIirNBvDdi41x9C9hgGyU49catXOJQb9W+HHcVsbh93Q7JwZzihnUhalAOug==',
      },
      {
        version: '9.22.2',
        hash: 'sha512-xpOhLO7cosv7Y4toUwL4ZTwyCOYIdLOaVP8yuggo7O2UVYjH9e0fYYHzF9uFgw1Jv+wGKYWBElUTsjoWL0h5Rg==',
      },
      {
        version: '9.22.3',
        hash: 'sha512-zuL1iK9xDgGSG/0xW7QJdU7mt5k3FGoxnuN1EYoGeaMXn6KAAnME3R1kZijf3FhCt8cw8GLj2yX453bZK+SmlA==',
      },
    ],
    layout: { framework: 'vitepress', content: [''], exclude: ['.vitepress'] },
    license: 'GPL-3.0-only',
    isSmall: true,
    floors: { core: 90, more: 0 },
  },
  {
    id: 'rollup',
    source: 'debian',
    package: 'node-rollup',
    releases: [
      { version: '3.29.5-1', hash: 'sha256-68c2d3f6d11a1422830d00232a0ef5f36547085e503bef8f6f7a97f98b10e430' },
    ],
    layout: { framework: 'vitepress', content: ['docs'], exclude: ['docs/.vitepress'] },
    license: 'MIT',
    floors: { core: 90, more: 0 },
  },
  {
    id: 'graphql',
    source: 'debian',
    package: 'node-graphql',
    releases: [
      { version: '16.8.1-2', hash: 'sha256-cd1f254f5e854899b32aa4b8ce981f2e705ae80623df4cd6a73cf9dc7c253b29' },
    ],
    layout: { framework: 'docusaurus', content: ['website/docs'], hasNoMdx: true },
    license: 'MIT',
    floors: { core: 90, more: 0 },
  },
  {
    id: 'react-redux',
    source: 'debian',
    package: 'node-react-redux',
    releases: [
      {
        version: '8.1.2+dfsg1+~cs1.2.3-1',
        hash: 'sha256-b07f14ebb54c03a43fcccacc14ee3365ceb643dfbe4b0b24c44e2c80dcc01c3d',
      },
    ],
    layout: { framework: 'docusaurus', content: ['docs'], hasNoMdx: true },
    license: 'MIT',
    floors: { core: 90, more: 0 },
  },
  {
    id: 'nextra-template',
    source: 'npm',
    package: 'nextra-docs-template',
    releases: [
      {
        version: '0.0.11',
        hash: 'sha512-Is2/Vdhe6s8dmtHLNW9Hoeyr3sg5bIcDW+eAhQRNQfgqP4s7th5Uf59mHXnF5nrw7gDf8f0+yjzQUoDvwclSzA==',
      },
    ],
    layout: { framework: 'nextra', content: ['pages'] },
    license: 'MIT',
    isSmall: true,
    floors: { core: 90, more: 0 },
  },
  {
    id: 'nextra-site',
    source: 'npm',
    package: 'create-nextra-app',
    releases: [
      {
        version: '0.2.0',
        hash: 'sha512-78dTX8azEM8sfbnYhGUDG4IZZ14t5HHzmSYDU901R7th8RwvH8OMUHp3Ik6YwEi06mQfBisDwKbbMgVLrrKAaw==',
      },
    ],
    folder: 'dist/templates/default-nextra',
    layout: { framework: 'nextra', content: ['pages'] },
    license: 'MIT',
    floors: { core: 90, more: 0 },
  },
  {
    id: 'mkdocs-material',
    source: 'debian',
    package: 'mkdocs-material',
    releases: [{ version: '9.6.4-1', hash: 'sha256-b2a238aff906b1dca0430fe48d19ecbc45d08510fd5b7b84ef1e7082ac709ac6' }],
    layout: { framework: 'mkdocs', content: ['docs'] },
    license: 'MIT',
    floors: { core: 90, more: 0 },
  },
  {
    id: 'httpx',
    source: 'debian',
    package: 'httpx',
    releases: [
      { version: '0.28.1-1', hash: 'sha256-a18051d0df8fe82c89e950ed61afc2285f2603537130f062cc9b91dcb4dd4715' },
    ],
    layout: { framework: 'mkdocs', content: ['docs'] },
    license: 'BSD-3-Clause',
    floors: { core: 90, more: 0 },
  },
  {
    id: 'uvicorn',
    source: 'debian',
    package: 'python-uvicorn',
    releases: [
      { version: '0.32.0-3', hash: 'sha256-784d962b41b0bd9b6265cabf0054cf55d03fffb882c901e77840894f36ea8a23' },
    ],
    layout: { framework: 'mkdocs', content: ['docs'] },
    license: 'BSD-3-Clause',
    floors: { core: 90, more: 0 },
  },
  {
    id: 'ansible-lint',
    source: 'debian',
    package: 'ansible-lint',
    releases: [
      {
        version: '25.6.1+really25.2.1-1',
        hash: 'sha256-e674c211a5c0591843ec1db65142238ac809eaa7f57b2161439b82f306d5b9a3',
      },
    ],
    layout: { framework: 'mkdocs', content: ['docs'] },
    license: 'MIT and GPL-3.0-or-later',
    floors: { core: 90, more: 0 },
  },
  {
    id: 'pymdown-extensions',
    source: 'debian',
    package: 'pymdown-extensions',
    releases: [
      { version: '10.13-1+deb13u1', hash: 'sha256-44bdc51b81508a5d4ff9f3c217cf7966a1ea37b9132e53bc79e2ea068c0c6ab8' },
    ],
    layout: { framework: 'mkdocs', content: ['docs/src/markdown'] },
    license: 'MIT',
    floors: { core: 90, more: 0 },
  },
  {
    id: 'helix',
    source: 'debian',
    package: 'hx',
    releases: [
      { version: '25.01.1-4', hash: 'sha256-3f2364463e2e58b0e78ea16fd37a23a93ec2b086323b9ca1e6e310d86a9b3663' },
    ],
    layout: { framework: 'mdbook', content: ['book/src'] },
    license: 'MPL-2.0',
    floors: { core: 90, more: 0 },
  },
  {
    id: 'cargo',
    source: 'debian',
    package: 'cargo',
    releases: [
      { version: '0.66.0+ds1-1', hash: 'sha256-a34dfd2d662a00e426351cde058d3bec039a6b751f7e9a31805e9fe000a98014' },
    ],
    layout: { framework: 'mdbook', content: ['src/doc/src'] },
    license: 'MIT or Apache-2.0',
    floors: { core: 90, more: 0 },
  },
  {
    id: 'enzyme',
    source: 'npm',
    package: 'enzyme',
    releases: [
      {
        version: '2.8.2',
        hash: 'sha512-LSf3O4tRpRKmQoPFpcYHgfTpTqMJOHRdHoAFBEEhUZaHwnODH3V5Ley+6diMqGUFS8u/LRbmUYCdBDlShwu9BA==',
      },
      {
        version: '2.9.0',
        hash: 'sha512-kYqMkEeED1mvGS2RqEwP9/ThXrWrDLQPS4tk7+YiZhQXKd/ji5XjinkBztcVnyAnP92Eq4GmFurpYLCaMOpyIw==',
      },
      {
        version: '2.9.1',
        hash: 'sha512-64Gr+ozwW9LNQ9YetJ6qHZpLQ9RCYZyVqnuE7XAEfgRsTNTB72v//E9Lp6iNeclXRU0FHywzFRb9kLXMfRyotw==',
      },
    ],
    layout: { framework: 'gitbook', content: ['docs'] },
    license: 'MIT',
    floors: { core: 90, more: 0 },
  },
  {
    id: 'gitbook',
    source: 'npm',
    package: 'gitbook',
    releases: [
      {
        version: '3.2.2',
        hash: 'sha512-bkmzaDWSHYvIJArANT69dSf3J2PuI2VdyaD7ylk3DDIqgEwRb7jN7Ue+C4/Noy6Hc4ppOqj6GgTfEtp8xW2wjQ==',
      },
      {
        version: '3.2.3',
        hash: 'sha512-vu7k5AKGj+sb//lJ4MZt+//0Bf9Sdz3zcCYdd7nGXvcIUCnZlMRylABju0fSp1OMHDj9WZo5CiCEqpaULEXu/A==',
      },
    ],
    layout: { framework: 'gitbook', content: ['docs'] },
    license: 'Apache-2.0',
    isSmall: true,
    floors: { core: 90, more: 0 },
  },
  {
    id: 'myst-parser',
    source: 'debian',
    package: 'myst-parser',
    releases: [{ version: '4.0.1-1', hash: 'sha256-472eacf90753abcd65739fd1b88f9eb41b14008968f53da23882c4331f36b2b6' }],
    layout: { framework: 'sphinx', content: ['docs'] },
    license: 'MIT',
    floors: { core: 90, more: 0 },
  },
  {
    id: 'myst-nb',
    source: 'debian',
    package: 'myst-nb',
    releases: [{ version: '1.1.2-1', hash: 'sha256-b2c9cd7e89abcdcec8054f17fa4514e092fc8ef404b1f47b96a05530ff237276' }],
    layout: { framework: 'sphinx', content: ['docs'] },
    license: 'BSD-3-Clause',
    floors: { core: 90, more: 0 },
  },
  {
    id: 'lego',
    source: 'debian',
    package: 'golang-github-xenolf-lego',
    releases: [{ version: '4.9.1-2', hash: 'sha256-da5b71c0f7ba35c724dd329053c9e879893806904a8ce36299ad8465340ac5ad' }],
    layout: { framework: 'hugo', content: ['docs/content'] },
    license: 'MIT',
    floors: { core: 90, more: 0 },
  },
  {
    id: 'rclone',
    source: 'debian',
    package: 'rclone',
    releases: [
      { version: '1.60.1+dfsg-4', hash: 'sha256-d3ca2dbc0103a506beb9a51ba8fe102f0990bb7b8ec53e0d7d7a304896d2ab04' },
    ],
    layout: { framework: 'hugo', content: ['docs/content'] },
    license: 'MIT',
    floors: { core: 90, more: 0 },
  },
]
