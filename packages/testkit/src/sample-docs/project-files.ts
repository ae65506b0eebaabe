const README = `# Tidewater documentation

The documentation of Tidewater, a small job-scheduling service. Tidewater is invented: these pages are something to try a
documentation tool on.

- Pages are MDX files. Every page is listed in \`docs.json\`.
- Images are in \`images/\` and are drawn as SVG.
- How to write is in [AGENTS.md](AGENTS.md). It holds for people too.
`

const AGENTS = `# Writing for Tidewater

These rules hold for everybody who changes this documentation, people and programs alike.

## Words

- Write in plain English, present tense, second person. Short sentences.
- Say **job**, **schedule**, **run**, **worker** and **pool** as they are defined in \`concepts.mdx\`. Never "task" or "cronjob".
- Commands and flags are code: \`tidewater run\`, \`--detach\`. Show a flag with its value where it has one.
- No exclamation marks, no "simply", no "just", no emoji.

## Pages

- Front matter has \`title\` and \`description\`, and nothing else. The description is one sentence that ends with a full stop.
- The first heading in a page is \`##\`: the title is the first level.
- Lines are at most 140 characters long.
- Every code block names its language. Use \`text\` for what a command prints.
- Links inside the documentation are root-relative and have no ending: \`/guides/calendars\`.
- A new page is added to \`docs.json\`. A page that is moved leaves no broken link behind.

## Facts

- Do not invent flags, fields or defaults. If you do not know, ask.
- When a flag changes, change it everywhere: in examples, in tables and in prose.
- \`changelog/releases.mdx\` tells what was true at the time. Add to it, but do not rewrite old entries.
`

/** Files of the repository that are not pages. */
export const projectFiles: Readonly<Record<string, string>> = { 'README.md': README, 'AGENTS.md': AGENTS }
