import { expect, it } from 'vitest'
import { buildPacer } from './build-pacer.ts'
import { buildShortIndex } from './build-short-index.ts'
import { squeezeText } from './squeeze-text.ts'

it('finds texts of at least 12 letters, also if their start or their end occurs in many places', async () => {
  const lines = Array.from({ length: 200 }, (_, at) => `await settleInvoices${at} account${at}forEachRegion`)
  const has = await buildShortIndex(squeezeText(lines.join('\n')), buildPacer())
  expect(has('awaitsettleinvoices150')).toBe(true)
  expect(has('150foreachregion')).toBe(true)
  expect(has('account150forea')).toBe(true)
  expect(has('awaitsettleinvoices250')).toBe(false)
  expect(has('settle')).toBe(false)
})
