/**
 * Returns true for text that can be stored in the database and in logs: well-formed Unicode without
 * NUL.
 */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000')
export const storable = { message: 'must be well-formed Unicode without NUL characters' }

/**
 * Returns true for a single line of printable text: well-formed Unicode without control characters.
 */
export const isPlain = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text)
export const plain = { message: 'must be one line of well-formed text without control characters' }

/** Returns true for text with a character other than white space. */
export const hasText = (text: string): boolean => /\S/.test(text)
export const notBlank = { message: 'must contain text, not only white space' }

const MAX_WORD_LENGTH = 100_000

/**
 * Returns false for text with a longer run of ASCII characters without white space. Such a run is
 * an encoded file, not language, and would take the place of the instructions in the model's input.
 * Languages that are written without spaces are not affected.
 */
export const hasWords = (text: string): boolean => !text.split(/[^!-~]+/).some((word) => word.length > MAX_WORD_LENGTH)
export const words = { message: 'must not contain a word of more than 100,000 characters, such as an encoded file' }
