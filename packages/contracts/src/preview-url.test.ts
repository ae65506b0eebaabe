import { expect, test } from 'vitest'
import { PreviewUrlTemplate, toBranchSlug, toPreviewUrl } from './preview-url.ts'

const PROJECT = 'prj_01kgs3v2n8q4r6t8w0y2a4c6e8'

test.each([
  ['https://{branchSlug}.preview.example.com', 'Feature/New_Page', 'https://feature-new-page.preview.example.com/'],
  ['https://docs-git-{branchSlug}-acme.vercel.app/', 'docs/x', 'https://docs-git-docs-x-acme.vercel.app/'],
  ['https://example.com/{project}/{branch}/', 'docs/a b?#%', `https://example.com/${PROJECT}/docs/a%20b%3F%23%25/`],
  ['http://localhost:3000/?branch={branch}', 'a&b=c', 'http://localhost:3000/?branch=a%26b%3Dc'],
  ['https://example.com/{branchSlug}', '文档', 'https://example.com/0d94kso'],
])('%s with the branch %s is %s', (template, branch, url) => {
  expect(PreviewUrlTemplate.parse(template)).toBe(template)
  expect(toPreviewUrl(template, { branch, projectId: PROJECT })).toBe(url)
})

test('a slug is a valid part of a host name, and long branches with the same beginning have different ones', () => {
  for (const branch of ['-a-', 'A/B/c', 'x'.repeat(200), `${'x-'.repeat(50)}y`, '🙂', 'docs/..x']) {
    expect(toBranchSlug(branch)).toMatch(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/)
  }
  expect(toBranchSlug(`${'x'.repeat(100)}1`)).not.toBe(toBranchSlug(`${'x'.repeat(100)}2`))
})

test.each([
  ['https://example.com/preview', /must contain \{branchSlug\} or \{branch\}/],
  ['https://{branch}.example.com', /no placeholder other than \{branchSlug\} in the host/],
  ['https://{project}.example.com/{branch}', /no placeholder other than \{branchSlug\} in the host/],
  ['https://user:pass@example.com/{branch}', /must be a URL/],
  [`https://${'x'.repeat(30)}{branchSlug}.example.com`, /must be a URL/],
  ['ftp://example.com/{branch}', /must be a URL/],
  ['//example.com/{branch}', /must be a URL/],
  ['{branch}', /must be a URL/],
  ['https://example.com/{branch}/{sha}', /no placeholders other than/],
  ['https://example.com/{branch}/{', /no placeholders other than/],
  ['https://example.com/{branch}\n', null],
  ['https://example.com/\n{branch}', /control characters/],
] as const)('%j as a template is checked', (template, problem) => {
  const parsed = PreviewUrlTemplate.safeParse(template)
  if (problem === null) expect(parsed.success).toBe(true)
  else expect(parsed.error?.issues.map(({ message }) => message).join()).toMatch(problem)
})
