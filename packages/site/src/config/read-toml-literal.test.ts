import { describe, expect, it } from 'vitest'
import { findProperty, findText, toItems } from './literal.ts'
import { readTomlLiteral } from './read-toml-literal.ts'

describe('TOML', () => {
  it('is read with the positions of strings', () => {
    const text =
      'a.b = "x"\n[t]\nc = \'y\'\n[t.u]\nd = [1, {e = true}]\n[[r]]\n"/f" = "1"\n[r.s]\ng = "z"\n[[r]]\nh = 1979-05-27\n'
    const { literal, fault } = readTomlLiteral(text)
    expect(fault).toBeNull()
    expect(findText(literal, 'a', 'b')).toBe('x')
    expect(findText(literal, 't', 'c')).toBe('y')
    expect(findProperty(toItems(findProperty(literal, 't', 'u', 'd'))[1], 'e')).toMatchObject({ value: true })
    const [first, second] = toItems(findProperty(literal, 'r'))
    expect(findText(first, '/f')).toBe('1')
    expect(findText(first, 's', 'g')).toBe('z')
    expect(findProperty(second, 'h')?.kind).toBe('unknown')
    const found = findProperty(literal, 't', 'c')
    expect(text.slice(found?.start, found?.end)).toBe("'y'")
  })

  it.each<[name: string, text: string, line: number | null, code: string]>([
    ['unclosed', 'a = 1\nb = [\n', 3, 'invalid'],
    ['a repeated key', 'a = 1\na = 2\n', 2, 'invalid'],
    ['deep nesting', `a = ${'['.repeat(40_000)}${']'.repeat(40_000)}`, null, 'limit'],
    ['a deep inline table', `a = ${'{a='.repeat(40_000)}`, null, 'limit'],
    ['too much text', `a = "${'x'.repeat(300_000)}"`, null, 'limit'],
  ])('%s is a fault', (_, text, line, code) => {
    expect(readTomlLiteral(text)).toMatchObject({ literal: null, fault: { line, code } })
  })

  it('keys named like members of objects are ordinary keys', () => {
    const { literal } = readTomlLiteral('__proto__.x = "1"\n[constructor]\ny = "2"\n')
    expect(findText(literal, '__proto__', 'x')).toBe('1')
    expect(findText(literal, 'constructor', 'y')).toBe('2')
    expect(findText(literal, 'toString')).toBeNull()
  })
})
