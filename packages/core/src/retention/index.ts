export { mergeMetricCounts } from './merge-metric-counts.ts'
export { removeDeletedProjects } from './remove-deleted-projects.ts'
export { type RetentionPeriods, removeExpired } from './remove-expired.ts'
