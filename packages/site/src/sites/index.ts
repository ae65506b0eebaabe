export { ALL_FRAMEWORKS } from './all-frameworks.ts'
export { describeSites } from './describe-sites.ts'
export { openBaseSites, openSites } from './open-sites.ts'
export { readNavigationFiles } from './read-navigation-files.ts'
