export { findContent, findSite } from './find-site.ts'
