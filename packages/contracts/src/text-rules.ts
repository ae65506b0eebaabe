/** What a database and a log can hold: well-formed Unicode without NUL. */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000')
export const storable = { message: 'must be well-formed Unicode without NUL characters' }

/** One line that shows as it is: no control characters either. */
export const isPlain = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text)
export const plain = { message: 'must be one line of well-formed text without control characters' }
