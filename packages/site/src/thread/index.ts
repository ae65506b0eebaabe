export { openCheckThread } from './open-check-thread.ts'
export { buildPageReader, type PageReader } from './page-reader.ts'
