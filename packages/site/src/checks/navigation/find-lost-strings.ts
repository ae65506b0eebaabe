import type { ConfigString } from '../../config/config-string.ts'
import { listStrings } from '../../config/list-strings.ts'
import { parseConfig } from '../../config/parse-config.ts'
import type { Site } from '../../frameworks/framework.ts'
import { resolveUrl } from '../../links/resolve-url.ts'
import { decodePath } from '../../pages/paths.ts'
import type { Problem } from '../../reading/problem.ts'
import { type Base, readOrNull, type Side } from '../../reading/read-base.ts'
import { findStringTarget } from '../../references/find-string-target.ts'
import { listConfigFiles } from '../../references/list-config-files.ts'
import { decodeText } from '../../workspace/text-file.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/**
 * Finds the links in the sites' configuration, outside of the navigation and the redirects, that led
 * to a page in the base commit and lead nowhere now: their page is gone, or their text has changed.
 * A changed text is compared with the text in the same place of the base commit.
 */
export async function findLostStrings(workspace: Workspace, base: Base, now: Side): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const site of now.sites) {
    const old = base.sites.find(({ framework, config }) => framework === site.framework && config === site.config)
    for (const path of old === undefined ? [] : listConfigFiles(site)) {
      const before = await read(path, () => workspace.readBase(path))
      const after = now.paths.includes(path) ? await read(path, () => workspace.read(path)) : null
      if (old === undefined || before === null || after === null) continue
      const known = new Map(before.strings.map((string) => [toKey(string), string]))
      const isPaired = before.strings.length === after.strings.length
      const others = listOthers(site, path)
      for (const [i, string] of after.strings.entries()) {
        if (others.starts.has(string.start) || others.values.has(string.value)) continue
        const pair = isPaired && before.strings[i]?.key === string.key ? before.strings[i] : undefined
        const origin = known.get(toKey(string)) ?? pair
        const target = origin === undefined ? null : findStringTarget(base.index, old, path, origin)
        if (target?.kind !== 'address' || !target.isLink || !isDead(now, site, path, string)) continue
        const line = after.text.slice(0, string.start).split('\n').length
        problems.push(toProblem(path, line, string.value))
      }
    }
  }
  return problems
}

const toKey = ({ key, value }: ConfigString) => `${key}:${value}`

async function read(path: string, load: () => Promise<Uint8Array | null>) {
  const bytes = await readOrNull(load)
  const decoded = bytes === null ? 'binary' : decodeText(bytes)
  if (typeof decoded === 'string') return null
  return { text: decoded.text, strings: listStrings(parseConfig(path, decoded.text)) }
}

/** Returns the texts that other checks judge: entries by their offset, and redirects. */
function listOthers({ navigation, redirects }: Site, path: string) {
  return {
    starts: new Set(navigation.entries.flatMap(({ file, start }) => (file === path ? [start] : []))),
    values: new Set(
      redirects.list.flatMap(({ file, source, destination }) => (file === path ? [source, destination] : [])),
    ),
  }
}

/** Returns true if a link leads to no page, file, redirect or other host. */
function isDead({ index }: Side, site: Site, path: string, string: ConfigString): boolean {
  const { value } = string
  if (findStringTarget(index, site, path, string) !== null) return false
  if (!/^\/?[\p{L}\p{N}][\p{L}\p{N}\-._~/%]*(?:[?#].*)?$/u.test(value) || /^[a-z][a-z\d+.-]*:/i.test(value))
    return false
  const address = decodePath(value.replace(/[?#].*$/s, ''))
  const { verdict, doubt } = resolveUrl(index, site, address.startsWith('/') ? address : `/${address}`)
  return verdict === 'no' || (verdict === 'unknown' && doubt !== 'elsewhere')
}

function toProblem(path: string, line: number, value: string): Problem {
  return {
    code: 'navigation_broken_link',
    path,
    line,
    subject: value,
    message: `The configuration links to ${JSON.stringify(value)}, where no page is. It led to a page before this change.`,
  }
}
