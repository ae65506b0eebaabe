import type { AddedText } from './added-texts.ts'
import { listCandidates, type NameCandidate } from './internal-names.ts'
import type { LeakSource } from './leak.ts'

const PATH = /(?<![\w@.:/~$-])(?:[\w@+.-]{1,100}\/){1,20}[\w@+.-]{1,100}(?![\w/-])/gi
/** Names that many projects have, which do not show where a product's code is. */
const COMMON =
  /^(?:\.?(?:src|source|lib|libs|app|apps|packages?|pkg|cmd|internal|core|common|shared|utils?|helpers?|components?|pages?|layouts?|public|static|assets|images?|img|styles?|css|scss|js|ts|config|configs|configuration|scripts?|bin|build|dist|out|target|test|tests|__tests__|spec|specs|e2e|examples?|samples?|demo|demos|docs?|documentation|content|guides?|api|server|client|web|main|index|cli|types?|typings|models?|views?|controllers?|routes?|router|services?|middlewares?|hooks|store|plugins?|themes?|templates?|locales?|i18n|migrations?|db|database|prisma|schema|node_modules|vendor|github|workflows?|issue_template|ci|husky|vscode|storybook|resources?|java|kotlin|go|python|com|org|data|default|defaults|settings|env|mod|lib|init|__init__|setup|run|start|deploy|release|publish|docker|dockerfile|k8s|helm|charts?|terraform|infra|package|tsconfig|readme|changelog|license|contributing|security|global|globals|root|page|layout|loading|error|not-found|button|header|footer|home|about|post|posts|user|users|item|items|hello|world|foo|bar|baz|my|custom|new|v\d+|\d+|en|www|html|umd|esm|cjs|es|mjs|min|module|modules|bundle|style|logo|favicon|icon|icons|fonts?|mocks?|__mocks__|fixtures?|snapshots?))$/i
/** A file name with this many letters is distinctive in a folder with a common name. */
const MIN_LETTERS = 8
/** Minimum number of segments of a path without an extension. */
const MIN_SEGMENTS = 3
const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|mp4|webm)$/i
const OUTPUT = /(?:^|\/)(?:dist|build|out|node_modules|public|coverage)\//

/**
 * Finds paths of a source's files, and links to its repository, that its `cite` mode excludes. Paths
 * that many projects have, such as `src/index.ts`, are not findings.
 */
export function listPathLeaks(
  texts: readonly AddedText[],
  source: Pick<LeakSource, 'cite' | 'repository'>,
  paths: readonly string[],
): NameCandidate[] {
  if (source.cite === 'links') return []
  const known = source.cite === 'none' ? buildPathTest(paths) : null
  const repository = toAddress(source.repository)
  const readTree = buildTreeReader()
  return listCandidates(texts, 'path', function* (line) {
    if (known !== null && /[\\/]/.test(line)) {
      for (const [match] of line.replaceAll('\\', '/').matchAll(PATH)) {
        const value = match.replace(/^(?:\.{0,2}\/)+/, '')
        if (known(value)) yield value
      }
    }
    const drawn = readTree(line)
    if (drawn !== null && known?.(drawn) === true) yield drawn
    // In addresses for SSH, a colon follows the host.
    const address = line.toLowerCase().replace(/(?<=\w):(?=[a-z])/g, '/')
    const at = address.indexOf(repository)
    if (at !== -1 && !/^[\w-]/.test(address.slice(at + repository.length).replace(/^\.git\b/, ''))) yield repository
  })
}

/** Builds a function that returns true for a distinctive path of the source, or the end of one. */
function buildPathTest(paths: readonly string[]): (value: string) => boolean {
  const byTail = new Map<string, string[]>()
  for (const path of paths) {
    const tail = toKey(path)
    const same = byTail.get(tail)
    if (same === undefined) byTail.set(tail, [path])
    else same.push(path)
  }
  return (value) => {
    const same = byTail.get(toKey(value.replace(/\.$/, ''))) ?? []
    return same.some((path) => isNamed(path, value.replace(/\.$/, '')) && isDistinctive(path))
  }
}

/** Imports often omit the extension. Two segments without one could be the path of a page. */
const isNamed = (path: string, value: string): boolean =>
  path === value ||
  toTail(path) === value ||
  (value.split('/').length >= MIN_SEGMENTS && path.replace(/\.[a-z0-9]{1,10}$/i, '') === value)

/** Returns the last two segments without extensions. */
const toKey = (path: string): string => path.split('/').slice(-2).map(toStem).join('/')

/** Returns the last two segments if they are distinctive, otherwise the whole path. */
function toTail(path: string): string {
  const tail = path.split('/').slice(-2).join('/')
  const stems = tail.split('/').map(toStem)
  return stems.every((stem) => !COMMON.test(stem)) || (stems.at(-1) ?? '').length >= MIN_LETTERS ? tail : path
}

function isDistinctive(path: string): boolean {
  const parts = path.split('/')
  if (parts.length < 2 || OUTPUT.test(path) || IMAGE.test(path)) return false
  return parts.map(toStem).filter((stem) => !COMMON.test(stem)).length >= 1 && !COMMON.test(toStem(parts.at(-1) ?? ''))
}

function toStem(name: string): string {
  const dot = name.indexOf('.', 1)
  return dot === -1 ? name : name.slice(0, dot)
}

/** Returns `host/owner/name` in lower case. */
function toAddress(repository: string): string {
  return repository
    .toLowerCase()
    .replace(/^[a-z+]+:\/\/(?:[^/@]*@)?/, '')
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\.git$/, '')
}

const MARKS = /^[\s│├└─|`>+*-]*/
const NAME = /^[\w@.-][\w@. -]*$/

/**
 * Builds a function that reads a drawing of folders and files line by line, and returns the path of
 * the file or folder on each line, or null for another line.
 */
function buildTreeReader(): (line: string) => string | null {
  let folders: { depth: number; name: string }[] = []
  return (line) => {
    const [marks = ''] = MARKS.exec(line) ?? []
    const row = line.slice(marks.length)
    // A comment follows after two spaces or after a number sign.
    const end = row.search(/\s[\s#]/)
    const name = (end === -1 ? row : row.slice(0, end)).replace(/\/$/, '')
    if (!NAME.test(name)) {
      folders = []
      return null
    }
    folders = [...folders.filter(({ depth }) => depth < marks.length), { depth: marks.length, name }].slice(-20)
    return folders.length < 2 ? null : folders.map((folder) => folder.name).join('/')
  }
}
