/** One page named by a navigation file. */
export interface NavigationEntry {
  /** As written, for example `guides/start` or `/guides/start`. */
  readonly page: string
  /** Names of the groups around it, outermost first. */
  readonly trail: readonly string[]
}

const MAX_DEPTH = 40

/**
 * The pages a Mintlify `docs.json` or `mint.json` orders: every string in a `pages` list and every `root`, wherever it nests. Links,
 * API operations and generated pages are left out, they are no files.
 */
export function readNavigation(config: unknown): NavigationEntry[] {
  const found: NavigationEntry[] = []
  if (isRecord(config)) walk(config.navigation, [], found, 0)
  return found
}

const LABELS = ['language', 'version', 'tab', 'product', 'dropdown', 'anchor', 'item', 'group']

function walk(value: unknown, trail: readonly string[], found: NavigationEntry[], depth: number): void {
  if (depth > MAX_DEPTH) return
  if (Array.isArray(value)) {
    for (const item of value) walk(item, trail, found, depth + 1)
    return
  }
  if (!isRecord(value)) return
  const label = LABELS.map((key) => value[key]).find((name) => typeof name === 'string')
  const inner = typeof label === 'string' ? [...trail, label] : trail
  for (const [key, child] of Object.entries(value)) {
    if (key === 'pages' && Array.isArray(child)) {
      for (const page of child) {
        if (typeof page === 'string') addPage(page, inner, found)
        else walk(page, inner, found, depth + 1)
      }
    } else if (key === 'root' && typeof child === 'string') addPage(child, inner, found)
    else if (typeof child === 'object' && key !== 'openapi' && key !== 'asyncapi') walk(child, inner, found, depth + 1)
  }
}

function addPage(page: string, trail: readonly string[], found: NavigationEntry[]): void {
  if (page === '' || /^[a-z][a-z0-9+.-]*:/i.test(page) || /^[A-Z]+\s+\S/.test(page) || page.includes('#')) return
  if (/^\S+\.(json|ya?ml)\s/.test(page)) return
  found.push({ page, trail })
}

/** Paths a navigation entry may stand for; `folder` is where the navigation file lies. */
export function toPagePaths(page: string, folder: string): string[] {
  const path = `${folder === '' ? '' : `${folder}/`}${page.replace(/^\.?\//, '')}`
  return /\.(mdx?|markdown)$/i.test(path)
    ? [path]
    : [`${path}.mdx`, `${path}.md`, `${path}/index.mdx`, `${path}/index.md`]
}

export function toFolder(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? '' : path.slice(0, slash)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
