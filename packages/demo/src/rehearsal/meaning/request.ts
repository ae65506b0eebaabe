import { isSameStem, stem } from './stem.ts'

/** A prompt, prepared for recognition. */
export interface Request {
  /** The prompt with straight quotes and without greetings and polite phrases. */
  readonly text: string
  /** The prompt as it is written. */
  readonly prompt: string
  readonly words: readonly string[]
  readonly isQuestion: boolean
}

const POLITE =
  /^(?:(?:hi|hello|hey|dear|ok|okay|so|also|now|next|then|and|thanks|thank you|great|good|nice)\b[\s,.!]*|(?:can|could|would|will|might) (?:you|we|someone|somebody|u)(?: please| kindly| maybe)?,? |please,? |pls |kindly |just |go ahead and |let['’]?s |let us |i(?:['’]d| would)? (?:like|love) (?:you |us )?to |(?:i|we) (?:want|need|have|ought|should|must)(?: you)?(?: to)? |you should |your task is to |task: |to-?do: |it would be (?:nice|great|good|helpful) (?:if you could|to) |(?:i|we) think (?:we should |you should )?|try to |help (?:me|us)(?: to)? |make sure (?:to |that we )?)/i

/** Prepares a prompt. All kinds of double quotes and backticks become `"`, and curly single quotes `'`. */
export function readRequest(prompt: string): Request {
  const plain = prompt
    .replace(/"""|[“”]{3}|```/g, '"""')
    .replace(/[“”„‟«»`＂]|‹|›/g, '"')
    .replace(/[‘’‚‛]/g, "'")
    .replace(/\bteh\b/gi, 'the')
    .replace(/\*\*([^*\n]+)\*\*/g, '$1')
    .replace(/[ \t\u00a0]+/g, ' ')
    .replace(/"{4,}/g, '"""')
    .trim()
  let text = plain
  for (let shorter = text.replace(POLITE, ''); shorter !== text; shorter = text.replace(POLITE, '')) text = shorter
  text = text.replace(/[\s,]*(?:please|thanks|thank you|thx|cheers)?[\s!.]*$/i, '').trim() || plain
  const isAsked = /^(?:what|which|where|why|who|whose|when|how|is|are|does|do|did|has|have|was|were|should)\b/i.test(
    text,
  )
  return { text, prompt, words: text.match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu) ?? [], isQuestion: isAsked }
}

const stems = new Map<string, readonly string[]>()

/** Returns the position of the first word with the meaning of one of these words, or -1. */
export function findWord({ words }: Pick<Request, 'words'>, list: string): number {
  const wanted = stems.get(list) ?? list.split(' ').map(stem)
  stems.set(list, wanted)
  return words.findIndex((word) => {
    const own = stem(word)
    return wanted.some((one) => isSameStem(one, own))
  })
}

/** Returns true if the request has a word with the meaning of one of these words. */
export const hasWord = (request: Pick<Request, 'words'>, list: string): boolean => findWord(request, list) >= 0

/** Removes quotes, articles and punctuation around a phrase. */
export function cleanPhrase(phrase: string): string {
  let text = phrase.trim()
  for (;;) {
    const next = text
      .replace(/^["'(\s]+|["')\s]+$/g, '')
      .replace(/[.,;:!?]+$/, '')
      .replace(/^(?:the|a|an|our|this|that|all|every|any|each|of|my|its|your)\s+(?=\S)/i, '')
      .trim()
    if (next === text) return text
    text = next
  }
}

/** Returns the text that follows a colon or stands in quotes: what the caller wants to have written. */
export function findContent({ prompt }: Pick<Request, 'prompt'>): string | null {
  const text = prompt.trim()
  const block = /["“”]{3}\s*([\s\S]+?)\s*["“”]{3}/.exec(text)?.[1]
  if (block) return block
  const saying =
    /\b(?:that (?:says?|reads?|states?|explains?|tells? \w+)|saying|stating|reading|noting|which says?|it should say|with (?:the )?(?:text|content|words|sentence))(?: that)?:?\s+([\s\S]+)$/i.exec(
      text,
    )?.[1]
  const after = /:\s+([\s\S]+)$/.exec(text)?.[1]
  const content = (saying ?? after)?.trim().replace(/^["“'‘]([^"“”]*)["”'’]\.?$/, '$1')
  return content && content.split(/\s+/).length > 1 ? content : null
}
