export { measureYamlDepth } from './measure-yaml-depth.ts'
export { splitFrontmatter } from './split-frontmatter.ts'
