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
