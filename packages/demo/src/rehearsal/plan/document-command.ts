import { posix } from 'node:path'
import { toDefault } from './add-flag-row.ts'
import { createPage } from './create-page.ts'
import { readDefinition } from './find-flag-definitions.ts'
import { listPages } from './list-pages.ts'
import { toSlug } from './page-path.ts'
import type { Ending, Plan } from './plan.ts'
import type { JobFacts } from './rule.ts'
import { searchText } from './search-text.ts'
import { viewFile } from './view-files.ts'

/** Adds a page for a command that the code defines, with its description and its flags. */
export function* documentCommand(command: string, { sources }: JobFacts): Plan<Ending> {
  const pages = yield* listPages()
  const known = pages.find(({ path }) => posix.basename(toSlug(path)) === command)
  if (known) return { outcome: 'no_change', reason: `\`${known.path}\` documents ${command} already.` }
  for (const source of sources) {
    const query = `\\b(Use:\\s*|command\\()\\s*["'\`]${command}\\b`
    const [hit] = yield* searchText({ query, mode: 'regex', source, label: `the definition of ${command}` })
    const file = hit && (yield* viewFile(hit.path, source))
    if (!hit || !file) continue
    const lines = file.lines.slice(hit.line - 1, hit.line + 40)
    const usage = /["'`]([^"'`]+)["'`]/.exec(lines[0] ?? '')?.[1] ?? command
    const short = lines.map((line) => /\b(?:Short:|description\()\s*["'`]([^"'`]+)/.exec(line)?.[1]).find(Boolean)
    if (!short) continue
    const sibling = pages.find(({ path, title }) => /^(?:cli|commands?)\//.test(path) && /^[a-z][\w-]* \w/.test(title))
    const program = sibling?.title.split(' ')[0] ?? source
    const folder = sibling ? posix.dirname(sibling.path) : 'cli'
    const flags = lines.flatMap((line) => {
      const flag = /flags?\.\w+\(.*?"([a-z][a-z0-9-]+)"/.exec(line)?.[1]
      const found = flag ? readDefinition(line, flag) : null
      return found
        ? [`| \`--${flag}\` | ${toDefault(found.defaultCode)} | ${found.description.replaceAll('|', '\\|')} |`]
        : []
    })
    const table =
      flags.length === 0 ? '' : `\n\n## Flags\n\n| Flag | Default | Meaning |\n| --- | --- | --- |\n${flags.join('\n')}`
    const text = `\`\`\`bash\n${program} ${usage}\n\`\`\`\n\n${short}.${table}`
    const page = `${folder}/${command}.mdx`
    const evidence = [
      {
        page,
        source,
        path: hit.path,
        fromLine: hit.line,
        toLine: Math.min(hit.line + 1, file.lines.length),
        note: `Defines ${command} and its description.`,
      },
    ]
    return yield* createPage(page, {
      title: `${program} ${command}`,
      description: `${short}.`,
      group: null,
      text,
      evidence,
    })
  }
  return {
    outcome: 'needs_input',
    reason: `What does the command ${command} do? ${sources.length === 0 ? 'The project has no source with the code.' : 'The sources do not define it.'}`,
  }
}
