import { formatIntroduced } from '../checks/format-checks.ts'
import { findInboundLinks } from './find-inbound-links.ts'
import type { ToolContext } from './tool.ts'

/** What leads nowhere after a file left its path: links of other pages, navigation entries, and faults at `now`. Empty when nothing. */
export async function formatBroken(context: ToolContext, path: string, now: string): Promise<string> {
  const results = await context.checkDocs({ workspace: context.workspace, scope: 'changed' })
  const named = JSON.stringify(path.replace(/\.(mdx?|markdown)$/i, '')).slice(1, -1)
  const problems = formatIntroduced(results).filter((row) => row.startsWith(`${now}:`) || row.includes(named))
  const links = await findInboundLinks(context.workspace, path)
  const out: string[] = []
  if (problems.length > 0) out.push('Now wrong:', ...problems.slice(0, 20))
  if (links.rows.length > 0) out.push('Links that lead there:', ...links.rows)
  if (links.more > 0) out.push(`… and ${links.more} more`)
  return out.length === 0 ? '' : `\n${out.join('\n')}`
}
