/** mdBook: a build service; the order of pages is in SUMMARY.md. The product is invented. */
export const harbor: Readonly<Record<string, string>> = {
  'book.toml': `[book]
title = "Harbor"
src = "src"
`,
  'src/README.md': `# Harbor

Harbor builds and tests what you push. A *pipeline* is a list of *steps*, and a *runner* works on them.

Start with [Getting started](guide/getting-started.md), or look up [harbor.toml](reference/harbor-toml.md).
`,
  'src/SUMMARY.md': `# Summary

[Introduction](README.md)

# Guide

- [Getting started](guide/getting-started.md)
- [Pipelines](guide/pipelines.md)
  - [Caching](guide/caching.md)
- [Secrets](guide/secrets.md)

# Reference

- [harbor.toml](reference/harbor-toml.md)
- [Runners](reference/runners.md)
- [Glossary](reference/glossary.md)
`,
  'src/guide/caching.md': `# Caching

A cache keeps folders between builds:

\`\`\`toml
[cache]
paths = ["node_modules", ".cargo"]
key = "deps-v1"
\`\`\`

A cache that nobody used for 7 days is deleted. One cache holds at most 2 GB.

Caches are not shared between branches, except that a branch may read the cache of the default branch.
`,
  'src/guide/getting-started.md': `# Getting started

Put a \`harbor.toml\` into the root of your repository:

\`\`\`toml
[pipeline.test]
image = "alpine:3"
steps = ["make test"]
\`\`\`

Push it. The build agent that is free first takes the pipeline, and the result stands beside your commit after a minute or so.

Build agents are explained in [Runners](../reference/runners.md). Make it faster with [caching](caching.md).
`,
  'src/guide/pipelines.md': `# Pipelines

Steps of a pipeline run one after the other, in the same folder, on the same build agent. Pipelines run side by side.

\`\`\`toml
[pipeline.deploy]
after = ["test"]
steps = ["./deploy.sh"]
\`\`\`

A pipeline that waits for another one names it in \`after\`. See [harbor.toml](../reference/harbor-toml.md#after).

If a step fails, the rest is skipped. A pipeline times out after 60 minutes.
`,
  'src/guide/secrets.md': `# Secrets

Secrets are set in the project's settings and reach steps as environment variables. They are masked in logs.

Pipelines of pull requests from forks do not get secrets.

See also: [how build agents are isolated](../reference/runners.md#isolation).
`,
  'src/reference/glossary.md': `# Glossary

- **Pipeline**: a list of steps.
- **Step**: one command.
- **Build agent**: see [Runners](runners.md).
- **Cache**: folders that are kept, see [Caching](../guide/caching.md).
`,
  'src/reference/harbor-toml.md': `# harbor.toml

## image

The container image that steps run in. Required.

## steps

A list of commands. Required.

## after

Names of pipelines that must have passed before. Default: none.

## timeout

Minutes after which the pipeline is stopped. Default \`60\`, at most \`360\`.
`,
  'src/reference/runners.md': `# Runners

A runner is a machine that works on pipelines. Harbor's own runners have 4 cores and 8 GB of memory.

## Your own

\`\`\`bash
harbor-agent register --url https://harbor.example.net
\`\`\`

The command asks for a token. A registered build agent shows up in the settings within 30 seconds.

## Isolation

Each pipeline gets a fresh virtual machine. Nothing is kept but caches.
`,
}
