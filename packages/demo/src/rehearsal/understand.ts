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

/** The first reader that recognizes a request decides, so the more specific ones come first. */
const READERS: readonly Reader[] = [
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
  readUnclear,
]

/** Recognizes a request by its words. Returns null for what the rehearsal model cannot do. */
export function understand(prompt: string): Match | null {
  const request = readRequest(prompt)
  for (const read of READERS) {
    const plan = read(request)
    if (plan) return { position: 0, plan }
  }
  return null
}
