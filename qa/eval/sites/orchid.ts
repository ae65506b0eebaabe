/** Nextra: a note service; _meta.json beside the pages. The product is invented. */
export const orchid: Readonly<Record<string, string>> = {
  'pages/_meta.json': `{
  "index": "Welcome",
  "guides": "Guides",
  "api": "API"
}
`,
  'pages/api/_meta.json': `{
  "overview": "Overview",
  "notes": "Notes",
  "errors": "Errors"
}
`,
  'pages/api/errors.mdx': `---
title: Errors
---

# Errors

| Code | Meaning |
| --- | --- |
| \`not_found\` | there is no such note |
| \`too_large\` | the note has more than 1 MB |

## Import

\`unreadable_file\` and \`unknown_format\` name the file.
`,
  'pages/api/notes.mdx': `---
title: Notes
---

# Notes

## Create

\`\`\`http
POST /v1/notes
Content-Type: application/json

{ "title": "Plan", "text": "…" }
\`\`\`

## Share

\`\`\`http
POST /v1/notes/:id/share
\`\`\`

\`days\` says how long the link works: 1 to 365, default 30.
`,
  'pages/api/overview.mdx': `---
title: Overview
---

# API

The base address is \`https://api.orchid.example/v1\`. Send your token as \`Authorization: Bearer\`.

| Resource | Page |
| --- | --- |
| Notes | [Notes](/api/notes) |
| Errors | [Errors](/api/errors) |

Each token may make 60 requests a minute.
`,
  'pages/guides/_meta.json': `{
  "quickstart": "Quickstart",
  "importing": "Importing data",
  "sharing": "Sharing"
}
`,
  'pages/guides/importing.mdx': `---
title: Importing data
---

# Importing data

Orchid reads Markdown, HTML and CSV. Files may have up to 20 MB.

<Callout type="info">
  Folders become tags.
</Callout>

\`\`\`bash
orchid import ./notes --space team
\`\`\`

What could not be read is listed at the end. See [errors](/api/errors#import) for the codes.
`,
  'pages/guides/quickstart.mdx': `---
title: Quickstart
---

# Quickstart

1. Create a space.
2. Invite people, see [Sharing](/guides/sharing).
3. [Import](/guides/importing) what you have.

A free space holds 1,000 notes.
`,
  'pages/guides/sharing.mdx': `---
title: Sharing
---

# Sharing

A note is private until you share it. Share it with people, with the space, or by a link.

<Callout type="warning">
  Whoever has the link can read the note.
</Callout>

Links end after 30 days. The API can [change that](/api/notes#share).
`,
  'pages/index.mdx': `---
title: Welcome
---

# Orchid

Orchid keeps notes for teams. Open the [quickstart](/guides/quickstart) or go straight to the [API](/api/overview).
`,
}
