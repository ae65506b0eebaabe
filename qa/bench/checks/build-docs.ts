/** A file of a repository. */
export interface DocsFile {
  readonly path: string
  readonly bytes: Uint8Array
}

const WORDS =
  'the a an request response page field value token project deploy branch commit review guide option default example when you call this returns error list create update delete'.split(
    ' ',
  )
const FOLDERS = ['get-started', 'guides', 'api', 'reference', 'integrations', 'deploy', 'security', 'releases']

/**
 * Generates a Mintlify site with pages of about 10 kB: headings, paragraphs with links and anchors,
 * components, tables and code. Every link resolves. The content depends only on the number of
 * pages.
 */
export function buildDocs(pages: number): DocsFile[] {
  const routes = Array.from({ length: pages }, (_, i) => `${FOLDERS[i % FOLDERS.length]}/topic-${i}`)
  const groups = FOLDERS.map((group) => ({ group, pages: routes.filter((route) => route.startsWith(`${group}/`)) }))
  const config = { name: 'Bench', theme: 'mint', navigation: { groups }, redirects: [] }
  return [
    toFile('docs.json', JSON.stringify(config, null, 2)),
    ...routes.map((route, i) => toFile(`${route}.mdx`, buildPage(routes, i))),
  ]
}

function toFile(path: string, text: string): DocsFile {
  return { path, bytes: Buffer.from(text) }
}

function buildPage(routes: readonly string[], i: number): string {
  let state = (i * 7_919 + 17) | 0
  const next = (count: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % count
  }
  const words = (count: number) => Array.from({ length: count }, () => WORDS[next(WORDS.length)]).join(' ')
  const link = () => {
    const anchor = next(8) === 0 ? `#section-${next(6)}` : ''
    return `[${words(2)}](/${routes[next(routes.length)]}${anchor})`
  }
  const section = (n: number) => `## Section ${n}

${words(60)} ${link()} ${words(40)} \`${words(1)}_id\` and **${words(2)}**.

- ${words(12)}
- ${words(8)} ${link()}
- ${words(10)}

<Note>
  ${words(20)} ${link()}
</Note>

| Field | Type | Description |
| ----- | ---- | ----------- |
| \`${words(1)}\` | string | ${words(8)} |
| \`${words(1)}\` | number | ${words(8)} |

\`\`\`ts
const ${WORDS[3]}${n} = await client.call({ id: ${n}, name: '${words(1)}' })
console.log(${WORDS[3]}${n}.status) // [not a link](/nowhere)
\`\`\`

<Card title="${words(2)}" icon="link" href="/${routes[next(routes.length)]}">
  ${words(15)}
</Card>
`
  return `---\ntitle: "Topic ${i}"\ndescription: ${words(8)}\n---\n\n${Array.from({ length: 6 }, (_, n) => section(n)).join('\n')}`
}
