import { describe, expect, it } from 'vitest'
import { matchPattern } from './match-pattern.ts'

describe('a redirect pattern', () => {
  it.each<[source: string, destination: string, url: string, expected: string | null | undefined]>([
    ['/*', '/new/:splat', '/a/b', '/new/a/b'],
    ['/old/*', '/new/:splat', '/old/a/b', '/new/a/b'],
    ['/old/*', '/new/:splat', '/old', '/new/'],
    ['/old/*', '/new/:splat', '/older', undefined],
    ['/*.txt', '/files/:splat', '/a.txt', '/files/a'],
    ['/*.txt', '/files/:splat', '/a', undefined],
    ['/:path*', '/v2/:path*', '/a/b', '/v2/a/b'],
    ['/old/:slug', '/new/:slug', '/old/a', '/new/a'],
    ['/old/:slug', '/new/:slug', '/old/a/b', undefined],
    ['/old/:slug', '/new/:slug', '/old/a/', '/new/a'],
    ['/old/:slug/edit', '/edit/:slug', '/old/a/edit', '/edit/a'],
    ['/old/:id(\\d+)', '/new/:id', '/old/12', '/new/12'],
    ['/old/:id(\\d+)', '/new/:id', '/old/a', undefined],
    ['/old/(.*)', '/new/$1', '/old/a/b', '/new/a/b'],
    ['/old/[slug]', '/new/[slug]', '/old/a', '/new/a'],
    ['/old/[...slug]', '/new/[...slug]', '/old/a/b', '/new/a/b'],
    ['/old/:a', '/new/:b', '/old/x', null],
    ['/old/{a}?', '/new', '/other', null],
    ['/a.b/*', '/c', '/aXb/d', undefined],
    ['/docs/$LATEST$/*', '/docs/:splat', '/docs/a', undefined],
    ['/old/*', 'https://x.example/:splat', '/old/a', 'https://x.example/a'],
    ['/old/*', 'http://x.example:8080/', '/old/a', 'http://x.example:8080/'],
  ])('%s to %s sends %s to %s', (source, destination, url, expected) => {
    const match = matchPattern(source, destination, url)
    expect(match === null ? undefined : match.destination).toBe(expected)
  })
  it('is not matched against hostile input', () => {
    const unknown = { destination: null }
    expect(matchPattern('/(a|a)*(a*)*b', '/b', `/${'a'.repeat(100_000)}`)).toEqual(unknown)
    expect(matchPattern(`/${':x'.repeat(1_000)}`, '/b', '/a')).toEqual(unknown)
    expect(matchPattern(`/${'*a'.repeat(200)}b`, '/b', `/${'a'.repeat(1_900)}`)).toBeNull()
  })
})
