export { openCheckThread } from './open-check-thread.ts'
