import { findSecrets } from '@corrigenda/agent/internal/policy/find-secrets'
import { redactValue } from '@corrigenda/git/text'
import { expect, it } from 'vitest'

const KEY = 'sk-local-9f8e7d6c5b4a39281706'
const forms: Readonly<Record<string, string>> = {
  plain: KEY,
  base64: Buffer.from(`x${KEY} y`).toString('base64'),
  'base64 url': Buffer.from(`xy${KEY}`).toString('base64url'),
  hex: Buffer.from(KEY).toString('hex'),
  reversed: [...KEY].reverse().join(''),
  rot13: KEY.replace(/[a-z]/gi, (c) => String.fromCharCode(c.charCodeAt(0) + (/[a-m]/i.test(c) ? 13 : -13))),
  split: KEY.match(/.{1,5}/g)?.join(' "+\n" ') ?? '',
  hidden: [...KEY].join('\u200B'),
}

it.each(Object.entries(forms))('detects a credential (%s) in a change and redacts it in values', (_, text) => {
  const after = new TextEncoder().encode(`Before ${text} after\n`)
  const change = { path: 'a.md', kind: 'added', before: null, after } as const
  const found = (input: object) => findSecrets({ changes: [], title: null, body: '', knownSecrets: [KEY], ...input })
  expect(found({ changes: [change] })).toMatchObject([{ code: 'secret_in_change' }])
  expect(found({ body: `x ${text}` })).toMatchObject([{ code: 'secret_in_change' }])
  const shown = JSON.stringify(redactValue({ list: [{ message: `It is ${text}.` }], n: 1, at: null }, [KEY]))
  expect(shown).not.toContain(text)
  expect(shown).toContain('"n":1,"at":null')
})

it('keeps dates, booleans and ordinary words', () => {
  const value = { at: new Date(0), words: 'The quick brown fox', deep: [{ ok: true }] }
  expect(redactValue(value, [KEY])).toEqual(value)
})
