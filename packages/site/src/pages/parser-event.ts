import type { postprocess } from 'micromark'

export type ParserEvent = ReturnType<typeof postprocess>[number]
