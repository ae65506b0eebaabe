import type { TextLine } from '../text/render-lines.ts'
import type { AddedText } from './added-texts.ts'
import type { LeakKind } from './leak.ts'

/** A name in the added text. It is a finding if a private source shows that it is internal. */
export interface NameCandidate {
  readonly kind: Exclude<LeakKind, 'passage'>
  /** Lower case for hosts. */
  readonly value: string
  readonly text: AddedText
  readonly line: number
}

/** Tests the files of one source for the names. */
export interface NameTest {
  readonly kind: NameCandidate['kind']
  /** Finds the names that a line of the added text could have from a source. */
  listNames(line: string): Iterable<string>
  /** Returns names that a file shows to be internal, at least those among the wanted ones. */
  listInternal(path: string, text: string, wanted: ReadonlySet<string>): Iterable<string>
}

/** Returns the names of all forms of the texts, once per place. */
export function listCandidates(
  texts: readonly AddedText[],
  kind: NameCandidate['kind'],
  listNames: (line: string, at: TextLine) => Iterable<string>,
): NameCandidate[] {
  const found = new Map<string, NameCandidate>()
  for (const text of texts) {
    for (const line of text.views.flat()) {
      for (const value of listNames(line.text, line)) {
        found.set(`${value}\n${text.name}\n${line.line}`, { kind, value, text, line: line.line })
      }
    }
  }
  return [...found.values()]
}

const DOMAIN =
  /(?<![\p{L}\p{N}_.@/-])(?:[a-z0-9_](?:[a-z0-9_-]{0,62}[a-z0-9])?\.){1,8}[a-z][a-z0-9-]{1,30}(?![\p{L}\p{N}_-]|\()/giu
const AUTHORITY =
  /(?:\/\/|(?<=\w)@)(?:[^\s/@"'`<>]{1,100}@)?((?:[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?)(?:\.[a-z0-9-]{1,63}){0,8})(?=[:/\s"'`)>,;]|$)/gi
/** Private addresses of version 4, and unique local ones of version 6. */
const PRIVATE_ADDRESSES = [
  /(?<![\d.])(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d{1,3}\.\d{1,3}(?!\d|\.\d)/g,
  /(?<![\w:.])f[cd][0-9a-f]{2}:(?=[0-9a-f:]*:)[0-9a-f:]{2,35}(?![\w:])/gi,
]

/** Endings that no public name has, and labels that name parts of an internal network. */
const INTERNAL_ENDING =
  /\.(?:internal|intranet|intra|local|localdomain|lan|corp|private|priv|home\.arpa|svc|consul|infra|prod|stage|staging|vpn)$/
const INTERNAL_LABEL =
  /(?:^|[.-])(?:internal|int|intranet|intra|corp|corpnet|private|priv|vpn|staging|stage|stg|preprod|preview-env|uat|infra|bastion|jumphost|jumpbox|k8s|vault|jenkins|artifactory|nexus|grafana|kibana|prometheus|argocd|gitlab|jira|confluence|ldap|admin-tools|backoffice)(?:[.-]|\d|$)/
/** Names that are reserved for documentation, and names that every installation has. */
const RESERVED = /(?:^|\.)(?:example\.(?:com|org|net|internal)|example|test|invalid|localhost)$/
const COMMON =
  /^(?:(?:(?:(?:kubernetes\.)?default|kube-dns\.kube-system)\.svc(?:\.cluster\.local)?|(?:svc\.)?cluster\.local)|(?:(?:host|gateway|vm|kubernetes)\.)?docker\.internal|(?:host\.)?containers\.internal|(?:metadata\.)?google\.internal|(?:[a-z]+-[a-z]+-\d\.)?compute\.internal|ec2\.internal|localhost\.localdomain)$/
/** The start of a placeholder, such as `my-service`, `yourcompany` or `foo2`. */
const PLACEHOLDER =
  /^(?:(?:my|your|some)(?:app|application|api|broker|cluster|company|corp|database|db|domain|env|host|instance|machine|namespace|network|org|organization|project|proxy|registry|server|service|site|team|tenant|website)?|example|sample|foo|bar|foobar|acme)(?:[-.\d]|$)/
const WORDS = 'company|corp|domain|host|hostname|internal|local|localhost|name|org|sample|server|test|user|username'
/** Names whose labels all are general words, such as `server.company.internal`. */
const GENERAL = new RegExp(`^(?:(?:${WORDS}|namespace|ns|pod|service|svc)\\.)+(?:cluster\\.local|[^.]+)$`)
/** Parts of names without a domain that are general words with numbers, such as `test-server-1`. */
const GENERAL_START = new RegExp(`^(?:${WORDS})`)
const GENERAL_PARTS = new RegExp(`hostname|localhost|username|${WORDS}|[\\d-]`, 'g')
/** Names in a file, in lower case. */
const TOKEN = /(?<![\w-])(?:f[cd][0-9a-f]{2}:[0-9a-f:]+|[\w-]+(?:\.[\w-]+)*)/g
const MAX_LABELS = 10

/** Host names of an internal network. A public host name, such as that of an API, is not one. */
export const internalHosts: NameTest = {
  kind: 'host',
  *listNames(line) {
    for (const [value] of line.matchAll(DOMAIN)) if (isInternal(value.toLowerCase())) yield value.toLowerCase()
    for (const pattern of PRIVATE_ADDRESSES) for (const [value] of line.matchAll(pattern)) yield value.toLowerCase()
    for (const [, host = ''] of line.matchAll(AUTHORITY)) {
      const value = host.toLowerCase()
      if (value.includes('.') ? isInternal(value) : isInternalLabel(value)) yield value
    }
  },
  *listInternal(path, text, wanted) {
    const isText = /\.(?:mdx?|txt|rst)$/i.test(path)
    const file = text.toLowerCase()
    const firsts = new Set(Array.from(wanted, (value) => value.split('.', 1)[0]))
    for (const { 0: token, index } of file.matchAll(TOKEN)) {
      let at = index
      const labels = token.split('.')
      for (const [first, label] of labels.entries()) {
        if (firsts.has(label)) {
          for (let last = first + 1; last <= Math.min(labels.length, first + MAX_LABELS); last += 1) {
            const value = labels.slice(first, last).join('.')
            // Addresses in texts are examples.
            if (!wanted.has(value) || (isText && /^[\d.]+$/.test(value))) continue
            if (isHostContext(file, at, value)) yield value
          }
        }
        at += label.length + 1
      }
    }
  },
}

function isInternal(host: string): boolean {
  if ([RESERVED, COMMON, PLACEHOLDER, GENERAL].some((pattern) => pattern.test(host))) return false
  return (
    INTERNAL_ENDING.test(host) ||
    (host.split('.').length >= 3 && INTERNAL_LABEL.test(host.split('.').slice(0, -1).join('.')))
  )
}

/** A name without a domain counts only if it is not an ordinary word, as in `http://billing-db:5432`. */
function isInternalLabel(label: string): boolean {
  if (!/[a-z]/.test(label) || !/-|\d/.test(label) || label.length < 5) return false
  return !PLACEHOLDER.test(label) && !isGeneralLabel(label) && !/^[a-z]{1,2}\d*$/.test(label)
}

/** Excludes members in code and file names: a host follows `//`, `@` or a quote, or has a port. */
function isHostContext(file: string, at: number, value: string): boolean {
  const before = file[at - 1] ?? ' '
  const after = file.slice(at + value.length, at + value.length + 7)
  if (/[\w-]/.test(before) || /^[\w-]/.test(after)) return false
  const isWhole = /["'`\s=[(,]/.test(before) && /^(?:["'`\s,;\])]|$)/.test(after)
  const isText = value.split('.').length >= 3 && /["'`\s=[(,.]/.test(before)
  return (
    /(?:\/\/|\w@)$/.test(file.slice(Math.max(0, at - 2), at)) ||
    /^:\d{2,5}/.test(after) ||
    isText ||
    (isWhole && /["'`]/.test(before)) ||
    (isWhole && /[:=]\s*$/.test(file.slice(Math.max(0, at - 3), at)))
  )
}

const isGeneralLabel = (label: string): boolean => GENERAL_START.test(label) && label.replace(GENERAL_PARTS, '') === ''

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

/** Values that could be passwords or keys: a mixture of letters and digits without a known form. */
const VALUE = /(?<![\w+/=.-])[\w+/=!$%^&*.~-]{8,200}(?![\w+/=-])/g
/**
 * A value that is assigned to a name such as `password`. An argument after such a name has quotes,
 * because it is an identifier otherwise.
 */
const ASSIGNED =
  /(?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential|auth|signing[_-]?key)[\w-]{0,20}["'`]?\s{0,4}(?:[:=]>?\s{0,4}["'`]?|[,)]\s{0,4}["'`])([\w+/=!$%^&*.~-]{8,200})/gi
/** The password of an address, such as `postgres://user:password@host`. */
const USERINFO = /\w:\/\/[^\s/:@]{0,40}:([^\s/:@]{8,200})@/g
/** The lines of a private key. */
const KEY = /-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----([^-]{1,10000})-----END/g
/**
 * Words and patterns of values that stand for a credential in examples, such as `your-token` and
 * `secret123`.
 */
const EXAMPLE_VALUE =
  /example|sample|placeholder|change[_-]?me|your|dummy|x{3}|redacted|(.)\1{5}|12345678|abcdef|localhost|^(?:secret|pass(?:word)?|token|key|test|demo)[-_]?\d{1,3}$/i
/** A word of letters and digits that could be a generated value. */
const GENERATED = /(?<![\w+/=-])[\w-]{20,200}(?![\w+/-])/g

/** Values of a source's credentials, such as `password: "…"`, whatever their form. */
export const copiedCredentials: NameTest = {
  kind: 'credential',
  *listNames(line) {
    for (const [value] of line.matchAll(VALUE)) {
      for (const part of [
        value,
        value.replace(/^[.!*~]+/, '').replace(/(?<![.!*~])[.!*~]+$/, ''),
        ...value.split(/[=/:]/).map((part) => part.replace(/\.[a-z]{2,5}$/, '')),
      ]) {
        if (isRandom(part)) yield part
      }
    }
  },
  *listInternal(_path, text) {
    for (const [, body = ''] of text.matchAll(KEY)) yield* body.split(/[\s"'\\]+/)
    for (const pattern of [ASSIGNED, USERINFO]) {
      for (const [, value = ''] of text.matchAll(pattern)) {
        yield value
        yield value.replace(/(?<![.!*~])[.!*~]+$/, '')
      }
    }
  },
}

/**
 * Returns the generated values of a file, whatever name they are assigned to. Words that are made of
 * other words, such as `sha256-of-the-file`, are not among them.
 */
export function* listGenerated(text: string): Generator<string> {
  for (const [value] of text.matchAll(GENERATED)) {
    if (isRandom(value) && isGenerated(value)) yield value
  }
}

/** Letters of both cases and digits alternate often in a generated value, and it has no words. */
function isGenerated(value: string): boolean {
  const runs = value.match(/[a-z]+|[A-Z]+|\d+/g) ?? []
  const words = runs.filter((run) => /^[a-zA-Z]{5}/.test(run)).length
  const digits = runs.filter((run) => /^\d/.test(run)).length
  return digits >= 3 && words <= 1 && runs.length >= value.length / 4
}

function isRandom(value: string): boolean {
  if (value.length < 8 || EXAMPLE_VALUE.test(value)) return false
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^\w]/].filter((kind) => kind.test(value)).length
  return (
    /\d/.test(value) &&
    /[a-z]/i.test(value) &&
    kinds >= 2 &&
    new Set(value).size >= 7 &&
    !/^v?\d+(?:\.\w+)+$/.test(value)
  )
}
