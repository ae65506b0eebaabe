import { countSqueezed, type SqueezedFile } from './squeeze.ts'

/** The lines of a file. Positions are those in the reduced text. */
export interface FileLines {
  readonly count: number
  toStart(index: number): number
  /** Exclusive. */
  toEnd(index: number): number
  toText(index: number): string
  /** Returns the part of a line between two of its letters and digits, end exclusive. */
  cut(index: number, from: number, to: number): string
  /** Returns the first line that ends after a position. */
  findLine(at: number): number
  /** Returns true for a line of a comment about licenses and copyright. */
  isNotice(index: number): boolean
  /** Returns true for a line of a help text. */
  isHelp(index: number): boolean
}

const LEGAL =
  /licen[sc]ed? (?:under|to)|spdx-license|copyright|\(c\)\s*\d{4}|all rights reserved|permission is hereby granted|warrant(?:y|ies)|redistribution and use|@license|@copyright/i
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#|--|"""|'''|<!--|;|%|\{-)/
/** The start of a string that a program shows to its users, such as the description of an option. */
const HELP =
  /\b(?:descri(?:ption|be)|help|usage|summary|epilog(?:ue)?|long)["']?\s{0,4}(?::?=|[:(])\s{0,4}\w?(`|"""|''')/i
const MAX_HELP_LINES = 60

export function buildFileLines({ ends, lines: count }: Pick<SqueezedFile, 'ends' | 'lines'>, text: string): FileLines {
  const texts = text.split('\n')
  const toText = (index: number) => texts[index] ?? ''
  let cursor = { index: -1, squeezed: 0, raw: 0 }
  /** Moves the cursor while `isBefore` is true for the letters and digits before and after a character. */
  const move = (line: string, isBefore: (before: number, after: number) => boolean) => {
    while (cursor.raw < line.length) {
      const char = String.fromCodePoint(line.codePointAt(cursor.raw) ?? 0)
      const after = cursor.squeezed + countSqueezed(char)
      if (!isBefore(cursor.squeezed, after)) return
      cursor.squeezed = after
      cursor.raw += char.length
    }
  }
  let notice = { from: 0, to: 0, isLegal: false }
  let help: ReadonlySet<number> | null = null
  return {
    count,
    toText,
    toStart: (index) => (index === 0 ? 0 : (ends[index - 1] ?? 0)),
    toEnd: (index) => ends[index] ?? 0,
    // Consecutive calls are fast if the positions ascend.
    cut(index, from, to) {
      const line = toText(index)
      if (cursor.index !== index || cursor.squeezed > from) cursor = { index, squeezed: 0, raw: 0 }
      move(line, (before, after) => after <= from || after === before)
      const first = cursor.raw
      move(line, (before) => before < to)
      return line.slice(first, cursor.raw)
    },
    findLine(at) {
      let low = 0
      let high = count - 1
      while (low < high) {
        const middle = (low + high) >> 1
        if ((ends[middle] ?? 0) > at) high = middle
        else low = middle + 1
      }
      return low
    },
    isNotice(index) {
      if (index < notice.from || index >= notice.to) notice = findNotice(texts, index)
      return notice.isLegal
    },
    isHelp(index) {
      help ??= findHelp(texts)
      return help.has(index)
    },
  }
}

/**
 * Returns the comment that a line belongs to, or the line alone if it is not in a comment. Comments
 * about licenses and copyright are the same in many files and repositories.
 */
function findNotice(lines: readonly string[], index: number) {
  const isPart = (at: number) => COMMENT.test(lines[at] ?? 'x') || lines[at]?.trim() === ''
  if (!isPart(index)) return { from: index, to: index + 1, isLegal: false }
  let from = index
  while (from > 0 && isPart(from - 1)) from -= 1
  while (from < index && lines[from]?.trim() === '') from += 1
  let to = index + 1
  while (to < lines.length && isPart(to)) to += 1
  return { from, to, isLegal: LEGAL.test(lines.slice(from, to).join('\n')) }
}

/** Returns the 0-based numbers of the lines in help texts that are strings of several lines. */
function findHelp(lines: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>()
  for (let from = 0; from < lines.length; from += 1) {
    const line = lines[from] ?? ''
    const start = HELP.exec(line)
    const mark = start?.[1]
    if (start === null || mark === undefined || line.includes(mark, start.index + start[0].length)) continue
    const size = lines.slice(from + 1, from + MAX_HELP_LINES).findIndex((next) => next.includes(mark)) + 1
    for (let index = from; index <= from + size; index += 1) found.add(index)
    from += size
  }
  return found
}

/**
 * - `trivial`: brackets, a single name or value, an import, a license
 * - `help`: a flag or a command with its description, as a program prints them
 * - `declaration`: a name with its type or value, or the signature of a function
 * - `prose`: a comment or text
 * - `code`: everything else
 */
export type LineClass = 'trivial' | 'help' | 'declaration' | 'prose' | 'code'

/** Lines with fewer letters and digits are trivial. */
const MIN_LETTERS = 10
/** Only the start of a long line is classified. */
const MAX_CHARS = 400
const COMMENT_MARK = /^(?:\/\/|\/\*|\*(?!\w)|#(?!\[|include\b|define\b|if|endif)|--(?!\w)|"""|'''|<!--|;;|%)/
const IMPORT =
  /^(?:import\b|from\s+\S+\s+import\b|export\s+(?:\*|\{)|require\b|use\s|using\s|#\s*include\b|package\s|(?:const|let|var)\s[^=]*=\s*(?:await\s+)?(?:require|import)\s*\(|\}\s*from\s)/
const SIGNATURE =
  /^(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|declare|pub(?:\(\w+\))?|unsafe|override|readonly|virtual|inline)\s+)*(?:function|func|def|fn|class|interface|type|struct|enum|trait|impl|message|service|rpc|oneof|namespace|module|protocol)\b/
const METHOD = /^[\w$#.]+\??\s*(?:<[^()]*>)?\([^()]*(?:\([^()]*\)[^()]*)*\)\s*(?::[^=]*|->.*)?[;{,]$/
const MODIFIERS = '(?:(?:[-+*]|export|const|let|var|public|private|readonly|static|optional|repeated|required)\\s+)*'
/** `name: value`, `name?: Type`, `"name": value` */
const FIELD = new RegExp(`^${MODIFIERS}["'\`]?[\\w$.@/-]+["'\`]?[?!]?\\s*:=?[^(){};]*[,;{[(]?$`)
/** `NAME = value`, `name => value` */
const CONSTANT = new RegExp(
  `^${MODIFIERS}["'\`]?[\\w$.@/-]+["'\`]?\\s*=>?\\s*(?:["'\`\\d[{-]|true|false|null|None|nil|undefined)[^(){};]*[,;{[(]?$`,
)
const TYPED_FIELD = /^(?:[\w.<>[\]*?]+\s+){1,3}\w+\s*=\s*[\w".-]+\s*(?:\[[^\]]*\])?;$/
/** `name type NOT NULL,` */
const COLUMN =
  /^["`]?\w+["`]?\s+(?:(?:small|big)?(?:int|serial)\d?|integer|text|(?:var)?char|uuid|bool(?:ean)?|jsonb?|timestamp\w*|date|time|interval|numeric|decimal|real|double|float\d*|bytea|blob)\b(?:\s*\([\d, ]+\))?(?:\[\])?(?:\s+(?:NOT|NULL|PRIMARY|KEY|UNIQUE|DEFAULT|REFERENCES|CHECK|ON|COLLATE|GENERATED|CONSTRAINT)\b.*)?,?$/i
/** `Name Type` with an optional tag, as in Go */
const MEMBER =
  /^[A-Z]\w*(?:,\s*\w+)*\s+(?:\*|\[\]|map\[\w+\])*(?:[\w]+\.)?(?:[A-Z]\w*|string|bool|byte|error|any|u?int\d*|float\d+)(?:\s+`[^`]*`)?$/
/** Several values of one word each, such as all values of an option. */
const VALUES = /^(?:(["'`])[^\s"'`]+\1[,|]?\s*){2,}$/
const FLAG = /^["'`]?-{1,2}[a-z]/i
/** `command  description`, in two columns */
const HELP_ROW = /^[\w<[][\w:<>[\]|.,/-]*(?: [\w<>[\]|.,-]+){0,3}\s{2,}[A-Za-z][^=;{}()]*$/

/** Returns the class of a line of a source file. */
export function classifyLine(line: string): LineClass {
  const text = line.slice(0, MAX_CHARS).trim()
  if (countSqueezed(text) < MIN_LETTERS) return 'trivial'
  if (COMMENT_MARK.test(text))
    return toProse(text.replace(/^(?:\/\/+!?|\/\*+!?|\*+|#+!?|--|"""|'''|<!--|;;+|%+)\s*/, ''))
  if (IMPORT.test(text)) return 'trivial'
  const bare = text.replace(/\s(?:\/\/|#|--|\/\*).*/, '').trimEnd()
  const value = bare
    .replace(/^[|&,+]\s*/, '')
    .replace(/[,;+|]$/, '')
    .trimEnd()
  if (/^(["'`]).*\1$/.test(value) && !value.slice(1, -1).includes(value.charAt(0))) {
    return /\S\s+\S+\s+\S|[^\p{ASCII}]{10}/u.test(value) ? toProse(value.slice(1, -1)) : 'trivial'
  }
  if (VALUES.test(value) || !hasTwoWords(bare)) return 'trivial'
  if (FLAG.test(bare)) return 'help'
  if (SIGNATURE.test(bare) || isMethod(bare)) return 'declaration'
  if (FIELD.test(bare) || CONSTANT.test(bare) || TYPED_FIELD.test(bare)) return 'declaration'
  if (COLUMN.test(bare) || MEMBER.test(bare)) return 'declaration'
  if (HELP_ROW.test(bare)) return 'help'
  return isSentence(bare) ? toProse(bare) : 'code'
}

/** Returns the text without the marks of a comment. A single name or value is not prose. */
function toProse(text: string): LineClass {
  if (FLAG.test(text) || HELP_ROW.test(text)) return 'help'
  return hasTwoWords(text) && countSqueezed(text) >= MIN_LETTERS ? 'prose' : 'trivial'
}

function isMethod(text: string): boolean {
  if (!METHOD.test(text) || /^(?:if|for|while|switch|return|await|catch)\b/.test(text)) return false
  return text.endsWith('{') || /\)\s*(?::|->)/.test(text)
}

/** Returns true for at least four words without the punctuation of code. */
function isSentence(text: string): boolean {
  return !/[=;{}]|=>|\w\(/.test(text) && (text.match(/(?<!\p{L})\p{L}+(?=\s|$)/gu) ?? []).length >= 4
}

/** Scripts without spaces have one long word. */
function hasTwoWords(text: string): boolean {
  const words = text.match(/[\p{L}\p{N}_$]+/gu) ?? []
  return words.length >= 2 || words.some((word) => /[\u3040-\u9fff\uac00-\ud7af\u0e00-\u0e7f]{10}/.test(word))
}
