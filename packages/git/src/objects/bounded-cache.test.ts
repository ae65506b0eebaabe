import { expect, it } from 'vitest'
import { buildBoundedCache } from './bounded-cache.ts'

it('keeps used entries and evicts others to stay within its weight limit', () => {
  const cache = buildBoundedCache<string>(100, (value) => value.length)
  const text = (i: number) => `${i}`.padEnd(10, '.')
  cache.set('used', text(0))
  let held = 0
  for (let i = 1; i <= 200; i++) {
    cache.set(`key ${i}`, text(i))
    expect(cache.get('used')).toBe(text(0))
    expect(cache.get(`key ${i}`)).toBe(text(i))
  }
  for (let i = 1; i <= 200; i++) if (cache.get(`key ${i}`)) held++
  expect(held).toBeGreaterThan(0)
  expect(held).toBeLessThan(10)
})

it('replaces and deletes entries, and always keeps the newest entry', () => {
  const cache = buildBoundedCache<string>(10, (value) => value.length)
  cache.set('a', 'one')
  cache.set('a', 'two')
  expect(cache.get('a')).toBe('two')
  cache.delete('a')
  expect(cache.get('a')).toBeUndefined()
  cache.set('huge', 'x'.repeat(1_000))
  expect(cache.get('huge')).toHaveLength(1_000)
  cache.set('b', 'three')
  expect(cache.get('b')).toBe('three')
})
