export { measureYamlDepth } from './measure-yaml-depth.ts'
export { PAGE } from './paths.ts'
export { readPageFacts } from './read-page-facts.ts'
export { splitFrontmatter } from './split-frontmatter.ts'
