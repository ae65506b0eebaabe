/** MkDocs: an image server; nav and redirects in mkdocs.yml, with tags that only MkDocs can read. The product is invented. */
export const lantern: Readonly<Record<string, string>> = {
  'CONTRIBUTING.md': `# Contributing to the documentation

- Sentences, not fragments, except in tables.
- A page that moves gets a line in \`redirect_maps\` of \`mkdocs.yml\`.
- Links are relative and end in \`.md\`.
`,
  'docs/guides/backups.md': `# Backups

Everything that cannot be made again lies in \`originals/\` and in the database.

1. Stop writes: \`lantern freeze\`
2. Copy \`originals/\` and the output of \`lantern dump\`.
3. Go on: \`lantern thaw\`

Retention is 14 days unless \`backup.keep\` says otherwise.

| Setting | Default | Meaning |
| --- | --- | --- |
| \`backup.keep\` | 14 | days that a backup is kept |
| \`backup.target\` | none | where backups go |

Restoring is described in [Upgrading](upgrading.md#roll-back).
`,
  'docs/guides/install.md': `# Install

Lantern Server comes as a Debian package and as a container image.

## Debian

\`\`\`bash
sudo apt install lantern-server
sudo systemctl enable --now lantern-server
\`\`\`

The service listens on port 8200. Change that with \`listen\` in the [configuration](../reference/configuration.md#listen).

## Container

\`\`\`bash
docker run -p 8200:8200 -v lantern:/data registry.example.org/lantern:3
\`\`\`

!!! note
    The container keeps everything below \`/data\`.

Next: [set up backups](backups.md) and [single sign-on](sso.md).
`,
  'docs/guides/sso.md': `# Single sign-on

Lantern speaks OpenID Connect. Register Lantern with your provider first; the callback is \`https://<your host>/auth/callback\`.

\`\`\`yaml
sso:
  issuer: https://login.example.org
  client_id: lantern
\`\`\`

People who sign in for the first time get the role \`viewer\`. See [limits](../reference/limits.md#people) for how many there may be.
`,
  'docs/guides/upgrading.md': `# Upgrading

Read the release notes, make a [backup](backups.md), then install the new package.

## Roll back

Put the backup back and install the old package:

\`\`\`bash
lantern restore backup.tar
sudo apt install lantern-server=3.1
\`\`\`

Version 3 reads the data of version 2. Version 2 can not read the data of version 3.
`,
  'docs/index.md': `# Lantern

Lantern is a self-hosted image server. It keeps originals, makes sizes on demand and forgets them again.

- [Install](guides/install.md) it in ten minutes.
- Keep [backups](guides/backups.md) before you need them.
- Look up [every setting](reference/configuration.md).

Lantern Server runs on Linux. The Lantern Server package is about 40 MB.
`,
  'docs/reference/cli.md': `# Command line

| Command | What it does |
| --- | --- |
| \`lantern freeze\` | stops writes |
| \`lantern thaw\` | goes on after \`freeze\` |
| \`lantern dump\` | writes the database to standard output |
| \`lantern restore FILE\` | puts a backup back |
| \`lantern purge\` | forgets all sizes |

Every command takes \`--config FILE\` and \`--quiet\`.
`,
  'docs/reference/configuration.md': `# Configuration

Lantern reads \`/etc/lantern/lantern.yml\`.

## listen

Address and port. Default \`0.0.0.0:8200\`.

## originals

Folder of the originals. Default \`/var/lib/lantern/originals\`.

## cache.size

How much disk the sizes may take. Default \`10GB\`.

## log.level

\`error\`, \`warn\`, \`info\` or \`debug\`. Default \`info\`.
`,
  'docs/reference/limits.md': `# Limits

## Images

An original has at most 200 MB and 100 megapixels.

## People

There may be 500 people in the Community edition.

## Requests

Each address may make 50 requests a second. More are answered with 429.
`,
  'mkdocs.yml': `site_name: Lantern
# The address is set by the pipeline.
site_url: !ENV [SITE_URL, 'https://lantern.example.org/']
docs_dir: docs
theme:
  name: material
  features:
    - navigation.tabs
plugins:
  - search
  - redirects:
      redirect_maps:
        'guides/setup.md': 'guides/install.md'
markdown_extensions:
  - admonition
  - pymdownx.emoji:
      emoji_index: !!python/name:material.extensions.emoji.twemoji
nav:
  - Home: index.md
  - Guides:
      - Install: guides/install.md
      - Backups: guides/backups.md
      - "Single sign-on": guides/sso.md
      - Upgrading: guides/upgrading.md
  - Reference:
      - Configuration: reference/configuration.md
      - Command line: reference/cli.md
      - Limits: reference/limits.md
`,
}
