/** Matches folders with test data, templates and copies of other projects. */
const FOREIGN =
  /(?:^|\/)(?:node_modules|vendor|third_party|tests?|__\w+__|fixtures?|test-?data|goldens?|snapshots?|templates?|archetypes|layouts)\//i
/** Matches texts that code hosts copy into new issues and pull requests. */
const ISSUE_TEMPLATE = /(?:^|\/)(?:issue|pull_request|merge_request|discussion)_templates?(?:\/|\.md$)/i

/** Returns true for a file that is not documentation unless it is in a content folder of a site. */
export function isUnpublished(path: string): boolean {
  return FOREIGN.test(path) || ISSUE_TEMPLATE.test(path)
}
