export { getProjectUsage } from './get-project-usage.ts'
