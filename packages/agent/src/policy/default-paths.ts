import { ALL_FRAMEWORKS } from '@corrigenda/site/sites'

/**
 * Documentation and navigation files, which the agent may write by default. Matching ignores case.
 */
export const DEFAULT_ALLOW: readonly string[] = [
  '**/*.{md,mdx,markdown,rst,adoc}',
  '{doc,docs,documentation}/**/*.txt',
  '**/{llms,llms-full}.txt',
  '**/toc.{yml,yaml}',
  ...ALL_FRAMEWORKS.flatMap(({ writable }) => writable),
]

/**
 * Paths that are never written, regardless of project settings. They run code, control developer
 * tools or permissions, or define which packages are installed. Paths with a segment that starts
 * with a dot are also rejected.
 */
export const ALWAYS_DENY: readonly string[] = [
  '**/{agents,agent,claude,gemini,copilot-instructions}.md',
  '**/{agents,agent,claude,gemini}.*.md',
  '**/*.mdc',
  '**/codeowners',
  '**/{package,npm-shrinkwrap,composer,deno,jsr}.json',
  '**/{package-lock,bun.lock,deno.lock,flake.lock}*',
  '**/*.{lock,lockb}',
  '**/{pnpm-lock,pnpm-workspace}.{yaml,yml}',
  '**/{requirements,constraints}*.txt',
  '**/go.{mod,sum}',
  '**/cmakelists.txt',
  '**/node_modules/**',
]

/**
 * Image files. They can be deleted and moved, but not created or changed, because their bytes
 * cannot be reviewed in a diff.
 */
export const IMAGES: readonly string[] = ['**/*.{png,jpg,jpeg,gif,webp,avif,ico,bmp,svg}']
