import { cleanPhrase, hasWord } from '../meaning/request.ts'
import { documentCommand } from '../plan/document-command.ts'
import { refreshFlags } from '../plan/refresh-flags.ts'
import { documentFlagRow } from '../rules/document-flag.ts'
import { followAll } from '../rules/follow-changes.ts'
import type { Reader } from './reader.ts'

const DOCUMENT =
  'document describe add mention cover explain write include list undocumented missing documentation docs'
const FLAG = 'flag option switch parameter argument'

/** Changes in the code that the documentation does not contain yet. */
export const readRecent: Reader = (request) => {
  const { text } = request
  const isRecent = hasWord(
    request,
    'recent recently latest last new newest week yesterday today month since merged shipped lately',
  )
  const isChange = hasWord(
    request,
    'push commit change release merge update pr diff development code codebase feature source',
  )
  const isUpdate = hasWord(
    request,
    'update sync synchronize document documentation docs reflect align catch refresh match describe cover bring',
  )
  const isSync =
    /\b(?:up[ -]to[ -]date|in sync|out of (?:date|sync)|match(?:es)?|catch up|reflects?|sync(?:hroni[sz]e)?|keep up)\b/i.test(
      text,
    ) &&
    (hasWord(request, 'code codebase source repository implementation main product cli') ||
      hasWord(request, 'docs documentation everything'))
  const isNamed = /\b(?:page|guide|table|file)\b/i.test(text) && !/\bpages\b/i.test(text)
  if (/--\w/.test(text) || (isNamed && !isRecent)) return null
  return (isRecent && isChange && isUpdate) || isSync ? followAll : null
}

/** Flags that the code defines. */
export const readFlags: Reader = (request) => {
  const { text } = request
  const dashed = /(?<![\w-])--([a-z][a-z0-9-]*)/i.exec(text)?.[1]
  const named = /\b["']?([a-z][a-z0-9-]+)["']? (?:flag|option|switch)\b/i.exec(text)?.[1]
  const known =
    named &&
    !/^(?:the|a|an|new|this|that|undocumented|missing|every|all|any|each|cli|command|line|some|of|and|no|its|their|recent|latest|added|one|which|what|document|add|describe|flag|other)$/i.test(
      named,
    )
      ? named
      : undefined
  const output =
    /^document (?:the )?(?:new )?["']?(json|ya?ml|csv|xml|html|wide|plain|table)["']? (?:output|format|mode) (?:of|for|in) \S/i.exec(
      text,
    )?.[1]
  const flag = dashed ?? known ?? output
  const isFlag = flag !== undefined || hasWord(request, FLAG)
  if (!isFlag) return null
  const isWrong =
    hasWord(request, 'default wrong outdated incorrect stale value obsolete') || /\bout of date\b/i.test(text)
  if (isWrong) return (job) => refreshFlags({ flag: flag?.toLowerCase() ?? null, phrase: null }, job)
  if (!hasWord(request, DOCUMENT) || /\bremove|delete\b/i.test(text)) return null
  if (flag === undefined) return (job) => refreshFlags({ flag: null, phrase: null }, job)
  const command =
    /\b(?:of|for|in|to|on|from) (?:the )?(?:new )?["']?(?:[a-z]+ )??([a-z][a-z-]+)["']?(?: (?:command|subcommand|page)\b|["']?[.!?]?$)/i.exec(
      text,
    )?.[1]
  const isCommand =
    command && !/^(?:docs?|documentation|page|cli|code|site|reference|it|command|tool|source)$/i.test(command)
  return (job) => documentFlagRow(flag.toLowerCase(), isCommand ? command.toLowerCase() : undefined, job)
}

/** Commands that the code defines and that have no page. */
export const readCommand: Reader = (request) => {
  const { text } = request
  // An example is text that a rule cannot write.
  if (/\bexamples?\b/i.test(text)) return null
  if (!/\bcommands?\b/i.test(text) || !hasWord(request, 'document describe add write cover page explain create'))
    return null
  const command =
    /["']?(?:[a-z]+ )??([a-z][a-z-]+)["']? (?:sub)?command\b|\bcommand ["']?(?:[a-z]+ )??([a-z][a-z-]+)/i.exec(text)
  const name = (command?.[1] ?? command?.[2])?.toLowerCase()
  if (!name || /^(?:the|a|new|our|this|every|all|each|missing|undocumented|for|of|to|in|and|that|which)$/.test(name))
    return null
  return (job) => documentCommand(name, job)
}

/** Pages that differ from the code. */
export const readOutdated: Reader = (request) => {
  const { text } = request
  const isOld =
    /\bout[ -]of[ -]date\b|\boutdated\b|\bno longer (?:true|correct|right|valid)\b|\bup[ -]to[ -]date\b|\b(?:wrong|incorrect|old|stale) (?:default|value|fact|information)s?\b|\bagainst the (?:code|source)|\bmatch(?:es)? (?:with )?the (?:code|source)|\bwith the (?:code|source)|\bfrom the (?:code|source)/i.test(
      text,
    )
  if (!isOld) return null
  const page =
    /\bpage (?:about|for|on|of) ["']?([\w ./-]+?)["']?(?: (?:is|are|has|with|against|so)\b|[.,;!?]|$)/i.exec(
      text,
    )?.[1] ??
    /(?:^|\s)([\w-]+\/[\w/.-]+)/.exec(text)?.[1] ??
    /\b(?:the |our )?["']?([\w./ -]+?)["']? (?:page|guide|table|file|reference)\b/i.exec(text)?.[1] ??
    /^(?:the )?["']?([\w ./-]+?)["']? (?:is|are|seems?|looks?)\b/i.exec(text)?.[1]
  const phrase = page
    ?.replace(/^.*\b(?:update|refresh|fix|check|compare|correct|bring|make|the|verify|on|in)\s+/i, '')
    .trim()
  return (job) => refreshFlags({ flag: null, phrase: phrase ? cleanPhrase(phrase) : null }, job)
}
