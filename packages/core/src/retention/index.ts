export { removeDeletedProjects } from './remove-deleted-projects.ts'
