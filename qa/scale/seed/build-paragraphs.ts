import { buildRandom } from '../../chaos/plan/random.ts'

/** A word that most paragraphs contain. */
export const COMMON_WORD = 'documentation'

const LENGTH = 512
const SYLLABLES = 'ba con de fer gi hol in jun ka lor mi nal op per qui ru sen tor um ver wo xi yel zan'.split(' ')

/**
 * Builds paragraphs of about half a kilobyte. As in real text, few words are frequent and most are
 * rare. Always returns the same paragraphs.
 */
export function buildParagraphs(count: number): string[] {
  const random = buildRandom('paragraphs')
  const words = Array.from({ length: 3_000 }, () =>
    Array.from({ length: random.int(1, 4) }, () => random.pick(SYLLABLES)).join(''),
  )
  // The square makes the first words more frequent.
  const pickWord = () => words[Math.floor(words.length * random.next() ** 3)] ?? ''
  return Array.from({ length: count }, () => {
    let text = `Update the ${COMMON_WORD} of ${pickWord()}:`
    while (text.length < LENGTH) text += ` ${pickWord()}`
    return `${text}.`
  })
}
