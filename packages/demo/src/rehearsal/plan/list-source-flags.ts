import { posix } from 'node:path'
import { type FlagDefinition, readDefinition } from './find-flag-definitions.ts'
import type { Plan } from './plan.ts'
import { searchText } from './search-text.ts'

/** Lists all flags that the sources define on one line, in the order of files and lines. */
export function* listSourceFlags(sources: readonly string[]): Plan<FlagDefinition[]> {
  const definitions: FlagDefinition[] = []
  for (const source of sources) {
    const query = '(flags|Flags\\(\\))\\.\\w+\\(|\\.option\\(|add_argument\\('
    const hits = yield* searchText({ query, mode: 'regex', source, label: 'definitions of flags' })
    for (const { path, line, text } of hits) {
      const [, flag] = /["'`](?:-\w,? )?(?:--)?([a-z][a-z0-9-]+)/.exec(text) ?? []
      const found = flag && !/(^|[/._-])tests?[/._-]/.test(path) ? readDefinition(text, flag) : null
      if (!flag || !found) continue
      const command = posix.basename(path).replace(/\..*$/, '')
      definitions.push({ flag, source, path, fromLine: line, toLine: line, command, ...found })
    }
  }
  return definitions
}
