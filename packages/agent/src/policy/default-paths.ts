import { ALL_FRAMEWORKS } from '@corrigenda/site/sites'

/** What the agent may write by default: documentation and navigation files. Matched ignoring case. */
export const DEFAULT_ALLOW: readonly string[] = [
  '**/*.{md,mdx,markdown,rst,adoc}',
  '{doc,docs,documentation}/**/*.txt',
  '**/{llms,llms-full}.txt',
  '**/toc.{yml,yaml}',
  ...ALL_FRAMEWORKS.flatMap(({ writable }) => writable),
]

/**
 * Never written, whatever a project allows: they run code, steer people's tools or rights, or decide what is installed. Every path
 * with a segment that starts with a dot is refused besides.
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

/** Pictures may be deleted and moved, never made or changed: nobody can review their bytes in a diff. */
export const IMAGES: readonly string[] = ['**/*.{png,jpg,jpeg,gif,webp,avif,ico,bmp,svg}']
