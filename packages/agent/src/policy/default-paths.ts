import type { CodeKind } from '@corrigenda/contracts'
import { buildGlob } from '@corrigenda/git/text'
import { ALL_FRAMEWORKS } from '@corrigenda/site/sites'

/**
 * Documentation and navigation files, which the agent may write by default. Matching ignores case.
 */
export const DEFAULT_ALLOW: readonly string[] = [
  '**/*.{md,mdx,markdown,rst,adoc}',
  // By name, because a package manager can install from a text file with any name.
  '**/{llms,llms-full,llms-ctx,robots,humans}.txt',
  '**/toc.{yml,yaml}',
  ...ALL_FRAMEWORKS.flatMap(({ writable }) => writable),
]

/** Files that instruct coding agents. */
const AGENT_INSTRUCTIONS: readonly string[] = [
  '**/{agents,agent,claude,gemini,qwen,warp,crush,skill,copilot-instructions}.md',
  '**/{agents,agent,claude,gemini,qwen,warp,crush,skill}.*.md',
  'conventions.md',
  '**/*.mdc',
]

/** Files that define which packages are installed. */
const DEPENDENCY_MANIFESTS: readonly string[] = [
  '**/{package,composer,deno,jsr}.json',
  '**/pnpm-workspace.{yaml,yml}',
  '**/*{requirements,constraints}*.{txt,in,pip}',
  '**/{requirements,constraints}/**/*.{txt,in,pip}',
  '**/{pip,conda}*.txt',
  '**/{environment,conda}*.{yml,yaml}',
  '**/{pyproject,pipfile,cargo,gopkg,project,manifest}.toml',
  '**/{pipfile,gemfile,podfile,cartfile,brewfile}',
  '**/{mix.exs,pom.xml,package.swift,pubspec.yaml}',
  '**/*.{gemspec,podspec,cabal,csproj,fsproj,vcxproj}',
  '**/go.mod',
]

/**
 * Paths that are never written, regardless of project settings. They run code, control developer
 * tools or permissions, or pin packages. Paths with a segment that starts with a dot are also
 * rejected.
 */
export const ALWAYS_DENY: readonly string[] = [
  '**/codeowners',
  '**/npm-shrinkwrap.json',
  '**/{package-lock,bun.lock,deno.lock,flake.lock}*',
  '**/*.{lock,lockb}',
  '**/pnpm-lock.{yaml,yml}',
  '**/{rakefile,makefile,justfile,dockerfile}',
  '**/{setup.py,setup.cfg,build.gradle,build.gradle.kts,build.sbt}',
  '**/go.sum',
  '**/cmakelists.txt',
  '**/node_modules/**',
]

/**
 * Image files. They can be deleted and moved, but not created or changed, because their bytes
 * cannot be reviewed in a diff.
 */
export const IMAGES: readonly string[] = ['**/*.{png,jpg,jpeg,gif,webp,avif,ico,bmp,svg}']

const isInstructions = buildGlob(AGENT_INSTRUCTIONS, { ignoreCase: true })
const isManifest = buildGlob(DEPENDENCY_MANIFESTS, { ignoreCase: true })

/** Returns the kind of a file that is executable content as a whole, or null. */
export function findCodeFile(path: string): CodeKind | null {
  const folded = path.normalize('NFKC')
  return isInstructions(folded) ? 'agent-instructions' : isManifest(folded) ? 'dependency-manifests' : null
}
