/** Docusaurus: a charting library; sidebars in JSON, a German translation. The product is invented. */
export const pebble: Readonly<Record<string, string>> = {
  'docs/guides/charts.md': `---
id: charts
title: Charts
sidebar_position: 1
---

Call \`chart(target, options)\`. The target is a selector or an element.

## Kinds

| Type | Shows | Since |
| :--- | :---: | ---: |
| \`bar\` | amounts | 1.0 |
| \`line\` | change over time | 1.0 |
| \`scatter\` | how two values go together | 1.3 |

:::tip
A \`line\` chart with more than 5,000 points is thinned out before it is drawn.
:::

## Update

\`\`\`js
const sales = chart('#sales', options)
sales.update([3, 1, 4, 1])
\`\`\`

See [events](../reference/events.md) for what happens then, and [export](./export.md) for pictures of it.
`,
  'docs/guides/export.md': `---
id: export
title: Export
sidebar_position: 3
---

\`sales.toSVG()\` gives the chart as text, \`sales.toPNG()\` as a promise of a blob.

PNG pictures are twice as large as the chart on the screen. Change that with [\`exportScale\`](../reference/options.md#exportscale).
`,
  'docs/guides/legacy-api.md': `---
id: legacy-api
title: The API of version 0
sidebar_position: 4
---

Version 0 had \`new Pebble(target)\`. It is no longer part of the package.

Use [\`chart\`](./charts.md) instead.
`,
  'docs/guides/themes.md': `---
id: themes
title: Themes
sidebar_position: 2
---

A theme is a set of colours and fonts. Pebble has two: \`light\` and \`dark\`.

\`\`\`js
chart('#sales', { theme: 'dark' })
\`\`\`

By default the theme follows the system. Set \`theme\` to keep it fixed.
`,
  'docs/intro.md': `---
id: intro
title: Introduction
slug: /
---

Pebble draws charts in the browser. It has no dependencies and weighs 18 kB.

\`\`\`js
import { chart } from 'pebble'

chart('#sales', { type: 'bar', data: [3, 1, 4] })
\`\`\`

- Draw your first [chart](./guides/charts.md).
- Change its looks with [themes](./guides/themes.md).
- Look up all [options](./reference/options.md).
`,
  'docs/reference/events.md': `---
id: events
title: Events
---

\`\`\`js
sales.on('select', (point) => console.log(point))
\`\`\`

| Event | When |
| --- | --- |
| \`draw\` | the chart was drawn |
| \`select\` | somebody clicked a point |

Old names: see [version 0](../guides/legacy-api.md#events).
`,
  'docs/reference/options.md': `---
id: options
title: Options
---

## type

\`bar\`, \`line\` or \`scatter\`. Required.

## data

Numbers, or pairs of numbers for \`scatter\`. Required.

## theme

\`light\` or \`dark\`. Default: that of the system. See [themes](../guides/themes.md).

## exportScale

How much larger pictures are. Default \`2\`.

The old options are listed in [the API of version 0](../guides/legacy-api.md).
`,
  'docusaurus.config.js': `module.exports = {
  title: 'Pebble',
  url: 'https://pebble.example.dev',
  baseUrl: '/',
  i18n: { defaultLocale: 'en', locales: ['en', 'de'] },
  presets: [['classic', { docs: { sidebarPath: require.resolve('./sidebars.json') } }]],
}
`,
  'i18n/de/docusaurus-plugin-content-docs/current/guides/themes.md': `---
id: themes
title: Themen
---

Ein Thema ist eine Menge von Farben und Schriften. Pebble hat zwei: \`light\` und \`dark\`.
`,
  'i18n/de/docusaurus-plugin-content-docs/current/intro.md': `---
id: intro
title: Einführung
slug: /
---

Pebble zeichnet Diagramme im Browser. Es hat keine Abhängigkeiten und wiegt 18 kB.
`,
  'package.json': `{ "name": "pebble-docs", "private": true, "dependencies": { "@docusaurus/core": "3.9.0" } }
`,
  'sidebars.json': `{
  "docs": [
    "intro",
    {
      "type": "category",
      "label": "Guides",
      "items": ["guides/charts", "guides/themes", "guides/export", "guides/legacy-api"]
    },
    {
      "type": "category",
      "label": "Reference",
      "items": ["reference/options", "reference/events"]
    }
  ]
}
`,
}
