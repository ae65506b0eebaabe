import { describe, expect, it } from 'vitest'
import { readSampleDocs } from './read-sample-docs.ts'

const files = readSampleDocs()
const pages = [...files].filter(([path]) => path.endsWith('.mdx')).map(([path, { data }]) => ({ path, text: data }))
const read = (path: string): string => files.get(path)?.data ?? ''

function parsePage(text: string): { matter: Record<string, string>; body: string } {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n\n([\s\S]+)$/.exec(text) ?? []
  const matter = Object.fromEntries(
    head.split('\n').map((line) => [line.split(': ')[0], line.split(': ').slice(1).join(': ')]),
  )
  return { matter, body }
}

/** Removes code. Prose and components remain. */
const withoutCode = (body: string): string => body.replace(/^( *)```[\s\S]*?^\1```$/gm, '').replace(/`[^`\n]*`/g, '')

const toSlug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .trim()
    .replace(/ +/g, '-')

function listAnchors(path: string): string[] {
  return [...read(path).matchAll(/^#{2,4} (.+)$/gm)].map((match) => toSlug(match[1] ?? ''))
}

function listNavigation(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  const { pages: listed, ...rest } = node as { pages?: string[] }
  return [...(listed ?? []), ...Object.values(rest).flatMap(listNavigation)]
}

describe('the sample documentation', () => {
  it('has about forty pages, each listed exactly once in the navigation', () => {
    expect(pages.length).toBeGreaterThanOrEqual(40)
    const listed = listNavigation(JSON.parse(read('docs.json')).navigation).map((page) => `${page}.mdx`)
    expect(listed.toSorted()).toEqual(pages.map(({ path }) => path).toSorted())
  })

  it.each(pages)('$path has front matter and a body', ({ text }) => {
    const { matter, body } = parsePage(text)
    expect(Object.keys(matter)).toEqual(['title', 'description'])
    expect(matter.description).toMatch(/^[A-Z].{10,120}\.$/)
    expect(body.length).toBeGreaterThan(200)
    expect(body).not.toMatch(/^# /m)
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(140)
  })

  it.each(pages)('$path closes its code blocks and components', ({ text }) => {
    const fences = [...text.matchAll(/^ *```(.*)$/gm)].map((match) => match[1])
    expect(fences.length % 2).toBe(0)
    fences.forEach((language, i) => {
      if (i % 2 === 0) expect(language).toMatch(/^[a-z]+( [\w.]+)?$/)
      else expect(language).toBe('')
    })
    const open: string[] = []
    for (const [, slash, name = '', rest] of withoutCode(text).matchAll(
      /<(\/?)([A-Z]\w*)((?:\s+[\w]+=(?:"[^"]*"|\{[^}]*\}))*\s*\/?)>/g,
    )) {
      if (slash) expect(open.pop()).toBe(name)
      else if (!rest?.endsWith('/')) open.push(name)
    }
    expect(open).toEqual([])
    const prose = withoutCode(text).replace(/<\/?[A-Z][^>]*>/g, '')
    expect(prose).not.toMatch(/[<{}]/)
  })

  it('has no broken links or images', () => {
    const targets = pages.flatMap(({ path, text }) =>
      [...withoutCode(text).matchAll(/\]\((\/[^)\s]*)\)|(?:href|src)="(\/[^"]*)"/g)].map((match) => ({
        path,
        target: match[1] ?? match[2] ?? '',
      })),
    )
    expect(targets.length).toBeGreaterThan(60)
    for (const { path, target } of targets) {
      const [place = '', anchor] = target.slice(1).split('#')
      const file = place.startsWith('images/') ? place : `${place}.mdx`
      expect(files.has(file), `${path} → ${target}`).toBe(true)
      if (anchor !== undefined) expect(listAnchors(file), `${path} → ${target}`).toContain(anchor)
    }
  })

  it('uses every image', () => {
    const everything = [...files.values()].map(({ data }) => data).join('\n')
    const images = [...files.keys()].filter((path) => path.startsWith('images/'))
    expect(images.length).toBeGreaterThan(4)
    for (const image of images) expect(everything).toContain(`/${image}`)
  })

  it('uses the terms from the demo prompts on many pages', () => {
    const mentioning = (text: string) => pages.filter((page) => page.text.includes(text)).length
    expect(mentioning('--output text')).toBeGreaterThan(10)
    expect(mentioning('tidewater run')).toBeGreaterThan(10)
  })

  it('follows its own style rules', () => {
    expect(read('AGENTS.md')).toContain('docs.json')
    expect(read('README.md')).toContain('Tidewater')
    for (const { text } of pages) expect(withoutCode(text)).not.toMatch(/\bcronjob|\bsimply\b|\bjust\b|!(?!\[)/i)
  })
})
