import { expect, test } from 'vitest'
import { fromLines, fromNumber, fromPairs, toJsonObject, toLines, toNumber, toPairs } from './form-text.ts'

test('parses and formats lists, numbers, pairs and JSON objects', () => {
  expect(toLines(' docs/** \n\n\n*.md\n')).toEqual(['docs/**', '*.md'])
  expect([fromLines(null), fromLines(['a', 'b'])]).toEqual(['', 'a\nb'])
  expect([toNumber(' '), toNumber('12'), toNumber('0.5'), fromNumber(null), fromNumber(3)]).toEqual([
    null,
    12,
    0.5,
    '',
    '3',
  ])
  expect(toPairs('SITE=docs\nQUERY=a=b\n EMPTY =')).toEqual({ SITE: 'docs', QUERY: 'a=b', EMPTY: '' })
  expect(fromPairs({ SITE: 'docs', QUERY: 'a=b' })).toBe('SITE=docs\nQUERY=a=b')
  expect([toJsonObject(' '), toJsonObject('{"a": [1]}')]).toEqual([undefined, { a: [1] }])
})

test('rejects invalid pairs and JSON with a readable message', () => {
  expect(() => toPairs('no sign')).toThrow('"no sign" must have the form NAME=VALUE.')
  expect(() => toPairs('=x')).toThrow(/NAME=VALUE/)
  expect(() => toJsonObject('{a}')).toThrow('not valid JSON')
  for (const text of ['[]', 'null', '"x"']) expect(() => toJsonObject(text)).toThrow(/must be a JSON object/)
})
