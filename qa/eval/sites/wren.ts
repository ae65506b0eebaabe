/** Starlight: a mail service; the sidebar is made from the folders. The product is invented. */
export const wren: Readonly<Record<string, string>> = {
  'astro.config.mjs': `import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'

export default defineConfig({
  integrations: [
    starlight({
      title: 'Wren',
      sidebar: [
        { label: 'Guides', autogenerate: { directory: 'guides' } },
        { label: 'Reference', autogenerate: { directory: 'reference' } },
      ],
    }),
  ],
})
`,
  'src/content/docs/guides/bounces.md': `---
title: Bounces
description: What happens to mail that cannot be delivered.
sidebar:
  order: 2
---

A bounce is hard or soft. Hard ones are final; soft ones are tried again for 24 hours.

Addresses that bounced hard are not written to again. See [Limits](/reference/limits/).
`,
  'src/content/docs/guides/sending.md': `---
title: Sending
description: Send a first message.
sidebar:
  order: 1
---

\`\`\`http
POST /messages
\`\`\`

A message has \`to\`, \`subject\` and \`text\`.

:::note
Messages are sent within 5 seconds.
:::

What comes back is explained in [Bounces](/guides/bounces/).
`,
  'src/content/docs/index.mdx': `---
title: Wren
description: Mail for your programs.
---

Wren sends mail and tells you what became of it. Begin with [Sending](/guides/sending/), and see [Limits](/reference/limits/).
`,
  'src/content/docs/reference/limits.md': `---
title: Limits
description: How much is allowed.
---

- 100 messages a second
- 50 recipients of one message
- 10 MB of attachments

More about [bounces](/guides/bounces/).
`,
}
