import type { ConfigFiles } from '../../config/config-files.ts'
import { findProperty, type Literal, toItems } from '../../config/literal.ts'
import { toRepositoryPath } from '../../config/module-path.ts'
import { findPluginUrls } from '../find-plugin-urls.ts'

export interface Plugin {
  readonly name: string
  readonly options: Literal | null
}

interface Plugins {
  /** Plugins by name, including those in the classic preset. */
  readonly list: readonly Plugin[]
  /** False if an unknown plugin may add pages anywhere. */
  readonly isKnown: boolean
}

/** A function that adds pages at paths that its code determines. */
const ADDS_ROUTES = /\baddRoute\b/

/** Reads the `presets` and `plugins` of a configuration. */
export async function readPlugins(files: ConfigFiles, settings: Literal, root: string): Promise<Plugins> {
  const list: Plugin[] = []
  let isKnown = settings.kind === 'object' && settings.whole
  for (const key of ['presets', 'plugins']) {
    const given = findProperty(settings, key)
    if (given !== null && (given.kind !== 'array' || !given.whole)) isKnown = false
    for (const item of toItems(given)) {
      const [plugin, options = null] = item.kind === 'array' ? item.items : [item]
      if (plugin === undefined || plugin.kind === 'scalar') continue
      const name = toName(plugin)
      if (name === null) {
        if (mayAddRoutes(plugin)) isKnown = false
      } else if (/classic$/.test(name)) {
        if (options !== null && options.kind !== 'object') isKnown = false
        list.push(...readClassic(options))
      } else {
        const path = files.findModule(`${root}/package.json`, name)
        const text = path === null ? '' : ((await files.open(path))?.text ?? '')
        if (ADDS_ROUTES.test(text)) isKnown = false
        // The name of a file does not name what it adds.
        if (path === null || text === '') list.push({ name, options })
      }
    }
  }
  return { list, isKnown }
}

function readClassic(options: Literal | null): Plugin[] {
  return ['docs', 'blog'].flatMap((name) => {
    const given = findProperty(options, name)
    return given?.kind === 'scalar' && given.value === false ? [] : [{ name, options: given }]
  })
}

/** Returns the URLs at which the plugins of other authors may add pages (`Site.openUrls`). */
export function toPluginUrls({ list }: Plugins): string[] {
  return list.flatMap(({ name, options }) =>
    findPluginUrls(name.replace('docusaurus-', ''), options === null ? [] : [options]),
  )
}

function toName(plugin: Literal): string | null {
  if (plugin.kind === 'string') return plugin.value
  if (plugin.kind !== 'call') return null
  const [wanted] = plugin.args
  return plugin.callee === 'require' && wanted?.kind === 'string' ? wanted.value : (plugin.from ?? plugin.callee)
}

/** Returns true if a plugin that is a function in the repository contains code that adds pages. */
function mayAddRoutes({ file, start, end }: Literal): boolean {
  return ADDS_ROUTES.test(file?.text.slice(start, end === 0 ? undefined : end) ?? '')
}

export function toPath(value: Literal | null, root: string): string | null {
  return value?.kind === 'string' ? toRepositoryPath(value.value, root) : null
}
