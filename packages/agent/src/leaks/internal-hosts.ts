import type { NameTest } from './name-test.ts'

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
