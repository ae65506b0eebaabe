import { readRequest } from './meaning/request.ts'
import type { Match } from './plan/rule.ts'
import { readAddition, readCrossLink } from './requests/addition.ts'
import { readChangelog } from './requests/changelog.ts'
import { readCommand, readFlags, readOutdated, readRecent } from './requests/code.ts'
import { readCopyright, readLinks, readTypos } from './requests/corrections.ts'
import { readFlagDefault } from './requests/flag-default.ts'
import { readNewPage } from './requests/new-page.ts'
import { readDelete, readField, readMove } from './requests/pages.ts'
import { readQuestion } from './requests/question.ts'
import type { Reader } from './requests/reader.ts'
import { readForbidden, readTranslation } from './requests/refuse.ts'
import { readPhraseRemoval, readRemoval } from './requests/removal.ts'
import { readReplacement } from './requests/replace.ts'
import { readUnclear } from './requests/unclear.ts'
import { readValue } from './requests/value.ts'
import { matchRules } from './rules.ts'
import { type Recognized, understandSeveral } from './understand-several.ts'

/** The first reader that recognizes a request decides, so the more specific ones come first. */
const CLEAR_READERS: readonly Reader[] = [
  readTranslation,
  readForbidden,
  readQuestion,
  readField,
  readChangelog,
  readCopyright,
  readMove,
  readFlagDefault,
  readValue,
  readReplacement,
  readRemoval,
  readDelete,
  readPhraseRemoval,
  readCrossLink,
  readLinks,
  readTypos,
  readFlags,
  readRecent,
  readCommand,
  readOutdated,
  readAddition,
  readNewPage,
]
const READERS = [...CLEAR_READERS, readUnclear]

/** Recognizes a prompt. Returns null for what the rehearsal model cannot do. */
export function understand(prompt: string): Match | null {
  return (
    understandSeveral(prompt, understandOne) ?? matchRules(prompt)?.match ?? readWith(READERS, prompt)?.match ?? null
  )
}

/** Recognizes a part of a prompt. A part that is unclear on its own may belong to another part. */
function understandOne(text: string): Recognized | null {
  return matchRules(text) ?? readWith(CLEAR_READERS, text)
}

function readWith(readers: readonly Reader[], prompt: string): Recognized | null {
  const request = readRequest(prompt)
  for (const read of readers) {
    const plan = read(request)
    if (plan) return { kind: read, match: { position: 0, plan } }
  }
  return null
}
