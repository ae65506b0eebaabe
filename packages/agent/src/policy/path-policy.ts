import { buildGlob } from '@corrigenda/git/text'
import { formatBytes } from '@corrigenda/git/workspace'
import { ALWAYS_DENY, DEFAULT_ALLOW, IMAGES } from './default-paths.ts'
import { type Fence, listSome } from './fence.ts'
import { splitWritable } from './split-writable.ts'

export interface PathPolicySettings {
  /** Globs of what may be written; replace the default (documentation and navigation files). */
  readonly allow?: readonly string[]
  /** A project's own patterns: folders narrow what may be written by default, names and endings add to it. */
  readonly writable?: readonly string[]
  /** Globs of what may not be written, on top of what never may; ignoring case. */
  readonly deny?: readonly string[]
  /** What refuses further paths: translations, and what the repository's own policy says. */
  readonly fences?: readonly Fence[]
  readonly maxFiles?: number
  /** Lines added plus lines removed over the whole change. */
  readonly maxChangedLines?: number
  /** Bytes added plus bytes removed, as lines of the diff. */
  readonly maxDiffBytes?: number
  /** Size of one file after the change. */
  readonly maxFileBytes?: number
}

export type PathAction = 'write' | 'delete' | 'move'

export interface PathPolicy {
  readonly maxFiles: number
  readonly maxChangedLines: number
  readonly maxDiffBytes: number
  readonly maxFileBytes: number
  /** What the project says on top of the default, for the model to know. */
  readonly settings: Pick<PathPolicySettings, 'writable' | 'deny' | 'fences'>
  /** A page or a navigation file: executable or not, it is text. */
  isDocumentation(path: string): boolean
  /** Why the path may not be touched so, as a sentence; null when it may. */
  explain(path: string, action: PathAction): string | null
}

/** Invisible, bidirectional and control characters: a path that has them does not look like what it is. */
const DECEPTIVE = /[\p{Cc}\p{Cf}\u115F\u1160\u3164\uFFA0]/u

export function buildPathPolicy(settings: PathPolicySettings = {}): PathPolicy {
  const options = { ignoreCase: true }
  const documentation = settings.allow?.length === 0 ? () => false : buildGlob(settings.allow ?? DEFAULT_ALLOW, options)
  const { exact, within } = splitWritable(settings.writable ?? [])
  const named = exact.length > 0 ? buildGlob(exact, options) : () => false
  const inside = within.length > 0 ? buildGlob(within, options) : () => settings.writable === undefined
  const allowed = (path: string) => named(path) || (inside(path) && documentation(path))
  const never = buildGlob(ALWAYS_DENY, options)
  const fenced = settings.deny?.length ? buildGlob(settings.deny, options) : () => false
  const image = buildGlob(IMAGES, options)

  return {
    settings,
    isDocumentation: (path) => documentation(path.normalize('NFKC')),
    maxFiles: settings.maxFiles ?? 50,
    maxChangedLines: settings.maxChangedLines ?? 5_000,
    maxDiffBytes: settings.maxDiffBytes ?? 1_048_576,
    maxFileBytes: settings.maxFileBytes ?? 1_048_576,
    explain(path, action) {
      const shown = JSON.stringify(path)
      if (DECEPTIVE.test(path)) return `${shown} has invisible or control characters in its name.`
      // Compatibility forms fold together on some file systems, so they are compared as their plain letters.
      const folded = path.normalize('NFKC')
      if (folded.split('/').some((segment) => /^\s*\./.test(segment))) {
        return `${shown} is protected: files and folders that start with a dot are never changed here.`
      }
      const plain = folded
        .split('/')
        .map((segment) => segment.replace(/[\s.]+$/, ''))
        .join('/')
      if (never(folded) || never(plain)) {
        return `${shown} is protected: agent instructions, dependency manifests and lock files are never changed here.`
      }
      if (fenced(folded) || fenced(plain)) return `${shown} is fenced off by the settings of this project.`
      for (const fence of settings.fences ?? []) {
        const why = fence.explain(folded) ?? fence.explain(plain)
        if (why !== null) return why
      }
      if (allowed(folded)) return null
      if (action !== 'write' && image(folded) && inside(folded)) return null
      if (image(folded) && inside(folded))
        return `${shown} is an image: images can be moved or deleted, but not made or changed.`
      return `${shown} is not a documentation file that may be changed here. ${describeAllowed(settings)}`
    },
  }
}

function describeAllowed(settings: PathPolicySettings): string {
  if (settings.writable !== undefined) return `This project allows: ${listSome(settings.writable)}.`
  if (settings.allow !== undefined) return `Allowed are: ${settings.allow.join(', ')}.`
  return 'Allowed are .md, .mdx, .markdown, .rst and .adoc pages and navigation files such as docs.json or mkdocs.yml.'
}

/** The limits in words, for the system prompt. */
export function describeLimits(policy: PathPolicy): string {
  const { maxFiles, maxChangedLines, maxFileBytes, settings } = policy
  const { writable, deny, fences = [] } = settings
  const only = writable === undefined ? '' : `, only where this project allows it (${listSome(writable)})`
  const never = deny?.length ? `, and nothing that this project fences off (${listSome(deny)})` : ''
  const more = fences.map(({ words }) => `, ${words}`).join('')
  return `at most ${maxFiles} files and ${maxChangedLines} changed lines, no file over ${formatBytes(maxFileBytes)}${only}${never}${more}`
}
