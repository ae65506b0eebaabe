import { countSqueezed } from './squeeze.ts'

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
const COMMENT = /^(?:\/\/|\/\*|\*(?!\w)|#(?!\[|include\b|define\b|if|endif)|--(?!\w)|"""|'''|<!--|;;|%)/
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
const HELP = /^[\w<[][\w:<>[\]|.,/-]*(?: [\w<>[\]|.,-]+){0,3}\s{2,}[A-Za-z][^=;{}()]*$/

/** Returns the class of a line of a source file. */
export function classifyLine(line: string): LineClass {
  const text = line.slice(0, MAX_CHARS).trim()
  if (countSqueezed(text) < MIN_LETTERS) return 'trivial'
  if (COMMENT.test(text)) return toProse(text.replace(/^(?:\/\/+!?|\/\*+!?|\*+|#+!?|--|"""|'''|<!--|;;+|%+)\s*/, ''))
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
  if (HELP.test(bare)) return 'help'
  return isSentence(bare) ? toProse(bare) : 'code'
}

/** Returns the text without the marks of a comment. A single name or value is not prose. */
function toProse(text: string): LineClass {
  if (FLAG.test(text) || HELP.test(text)) return 'help'
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
