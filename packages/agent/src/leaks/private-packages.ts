import type { NameTest } from './name-test.ts'

/** Return the name of a package that is not published, or null. */
const MANIFESTS: Readonly<Record<string, (file: string) => string | null>> = {
  'package.json': (file) => readPrivateName(file),
  'Cargo.toml': (file) => (/^[ \t]*publish[ \t]*=[ \t]*false/m.test(file) ? readTomlName(file) : null),
  'pyproject.toml': (file) => (/Private\s*::/.test(file) ? readTomlName(file) : null),
}
const SCOPED = /(?<![\w.-])@[a-z0-9~][\w.~-]{0,100}\/[a-z0-9~][\w.~-]{0,100}/gi
/** Names in commands and code that install or import a package. */
const INSTALLED =
  /\b(?:(?:npm|pnpm|yarn|bun)\s+(?:i|install|add|exec|dlx)|npx|pip3?\s+install|poetry\s+add|uv\s+(?:add|pip\s+install)|cargo\s+(?:add|install)|gem\s+install|go\s+(?:get|install))\s+((?:-{1,2}[\w-]+\s+)*)([\w@./-]+)/gi
const IMPORTED = /(?:\bfrom\s+|\bimport\s+|\brequire\s*\(\s*)(["'])([^"'\s]{2,120})\1/g

/**
 * Packages that are not published: a manifest marks them as private, or their scope belongs to a
 * registry other than the public one.
 */
export const privatePackages: NameTest = {
  kind: 'package',
  *listNames(line) {
    const found = [
      ...Array.from(line.matchAll(SCOPED), ([value]) => value),
      ...[INSTALLED, IMPORTED].flatMap((pattern) => Array.from(line.matchAll(pattern), ([, , value = '']) => value)),
    ]
    for (const value of found) {
      const name = toPackageName(value)
      if (name !== null) yield name
    }
  },
  listInternal(path, text, wanted) {
    const manifest = path.slice(path.lastIndexOf('/') + 1)
    if (/^(?:\.npmrc|\.yarnrc\.yml|bunfig\.toml)$/.test(manifest)) {
      return [...wanted].filter((name) => isPrivateScope(name, text))
    }
    const own = MANIFESTS[manifest]?.(text) ?? null
    if (own === null) return []
    return manifest === 'package.json' ? [own] : [...wanted].filter((name) => toPlainName(name) === toPlainName(own))
  },
}

/** Returns the name without a version and a path inside the package, or null for a path or a URL. */
function toPackageName(text: string): string | null {
  const [, name] =
    /^(@[\w.~-]+\/[\w.~-]+|[a-z][\w.-]*)(?:[@/].*)?$/i.exec(text.replace(/(?<![.,;:])[.,;:]+$/, '')) ?? []
  return name ?? null
}

function readPrivateName(file: string): string | null {
  if (!/"private"\s*:\s*true/.test(file)) return null
  try {
    const manifest: unknown = JSON.parse(file)
    const { name, private: isPrivate } = Object(manifest)
    return isPrivate === true && typeof name === 'string' ? name : null
  } catch {
    return null
  }
}

function isPrivateScope(value: string, file: string): boolean {
  const scope = /^@[^/]+(?=\/)/.exec(value)?.[0]
  if (scope === undefined) return false
  const bare = scope.slice(1).replaceAll(/[.~]/g, '\\$&')
  const [, registry] =
    new RegExp(`@?${bare}["']?\\s*(?::registry\\s*=|:\\s*npmRegistryServer:|=)\\s*["']?(\\S+)`).exec(file) ?? []
  return registry !== undefined && !/\/\/registry\.(?:npmjs\.org|yarnpkg\.com|npmmirror\.com)/.test(registry)
}

/** Python and Rust treat these characters as equal. */
const toPlainName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-')

const readTomlName = (file: string): string | null =>
  /^[ \t]*name[ \t]*=[ \t]*["']([^"']+)["']/m.exec(file)?.[1] ?? null
