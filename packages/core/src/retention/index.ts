export { removeDeletedProjects } from './remove-deleted-projects.ts'
export { type RetentionPeriods, removeExpired } from './remove-expired.ts'
