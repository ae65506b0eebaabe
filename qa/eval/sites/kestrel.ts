/** Mintlify: a monitoring service; two languages, tabs in docs.json, redirects in use. The product is invented. */
export const kestrel: Readonly<Record<string, string>> = {
  'docs.json': `{
	"$schema": "https://mintlify.com/docs.json",
	"name": "Kestrel",
	"navigation": {
		"languages": [
			{
				"language": "en",
				"groups": [
					{ "group": "Guides", "pages": ["index", "guides/alerts", "guides/dashboards", "guides/on-call"] },
					{ "group": "Reference", "pages": ["reference/query", "reference/metrics", "reference/agents"] }
				]
			},
			{
				"language": "es",
				"groups": [
					{ "group": "Guías", "pages": ["es/index", "es/guides/alerts"] }
				]
			}
		]
	},
	"redirects": [
		{ "source": "/guides/pager", "destination": "/guides/on-call" }
	]
}
`,
  'es/guides/alerts.mdx': `---
title: "Alertas"
description: "Recibe un aviso cuando un valor sale de su rango."
---

Kestrel evalúa las alertas cada 30 segundos.
`,
  'es/index.mdx': `---
title: "Kestrel"
description: "Vigila tus servicios."
---

Kestrel recoge métricas y te avisa cuando algo va mal. Lee sobre [alertas](/es/guides/alerts).
`,
  'guides/alerts.mdx': `---
title: "Alerts"
description: "Be told when a value leaves its range."
---

An alert has a query, a threshold and a duration.

\`\`\`yaml
alert: disk-full
query: disk.used / disk.size
above: 0.9
for: 10m
\`\`\`

Kestrel evaluates alerts every 30 seconds. An alert that fires goes to the people who are [on call](/guides/on-call).

<Warning>
  An alert without \`for\` fires at the first value.
</Warning>

Queries are explained in [Query language](/reference/query#operators).
`,
  'guides/dashboards.mdx': `---
title: "Dashboards"
description: "See many values at once."
---

A dashboard has up to 24 panels. Each panel shows one [query](/reference/query).

Share a dashboard by its address; people need the role \`reader\`.
`,
  'guides/on-call.mdx': `---
title: "On-call"
description: "Who is told, and when."
---

A rotation is a list of people who take turns. Turns last a week and begin on Monday at 09:00.

If nobody answers within 15 minutes, the next person is told. Alerts are set up in [Alerts](/guides/alerts).
`,
  'index.mdx': `---
title: "Kestrel"
description: "Watch your services."
---

Kestrel collects metrics and tells you when something is wrong.

- [Alerts](/guides/alerts)
- [Dashboards](/guides/dashboards)
- [On-call](/guides/on-call)
`,
  'reference/agents.mdx': `---
title: "Agents"
description: "The program on your machines."
---

\`\`\`bash
curl -fsSL https://get.kestrel.example | sh
kestrel-agent start --token $TOKEN
\`\`\`

The agent sends values every 10 seconds over port 443. See [Metrics](/reference/metrics) for what it sends.
`,
  'reference/metrics.mdx': `---
title: "Metrics"
description: "What agents collect."
---

| Metric | Unit |
| --- | --- |
| \`cpu.used\` | share, 0 to 1 |
| \`disk.used\` | bytes |
| \`disk.size\` | bytes |

Metrics are kept for 13 months. How they get here: [Agents](/reference/agents).
`,
  'reference/query.mdx': `---
title: "Query language"
description: "How to ask for values."
---

## Operators

\`+\`, \`-\`, \`*\`, \`/\` and parentheses.

## Functions

| Function | Gives |
| --- | --- |
| \`avg(x)\` | the mean |
| \`max(x)\` | the largest value |
| \`rate(x)\` | change per second |
`,
}
