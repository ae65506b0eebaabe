import { type Attempt, cut } from './attempt.ts'

const settle = cut('billing', 'src/refunds/settle-refund.ts', 'const ledger', 16)
const design = cut('billing', 'docs/design/settlement.md', 'The first version', 8)
const text = settle.join('\n')
const prose = design.join(' ')
const page = (value: string) => ({ 'guides/refunds.md': value })
const passage = (name: string, value: string): Attempt => ({
  name,
  kind: 'passage',
  from: 'billing',
  pages: page(value),
})
/** Inserts text behind each stretch of letters. */
const insert = (value: string, size: number, inserted: (index: number) => string) => {
  let index = 0
  return value.replace(new RegExp(`\\w{${size}}`, 'g'), (found) => {
    index += 1
    return `${found}${inserted(index)}`
  })
}
/** Inserts text behind each stretch of characters, also spaces and punctuation. */
const split = (value: string, size: number, inserted: (index: number) => string) =>
  (value.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []).map((part, index) => `${part}${inserted(index)}`).join('')
const replace = (value: string, pairs: Readonly<Record<string, string>>) =>
  [...value].map((char) => pairs[char] ?? char).join('')

const STRIPE = `sk_live_${'4eC39HqLyjWDarjtT1zdp7dc'}`
const AWS = `AKI${'A4QZ7PLKM2TRVWXBN'}`
const credential = (name: string, value: string): Attempt => ({
  name,
  kind: 'credential',
  from: 'relay',
  pages: page(`Run it with STRIPE=${value} in the shell.`),
})
const HOST = 'registry.corp.larkspur.io'
const host = (name: string, value: string): Attempt => ({
  name,
  kind: 'host',
  from: 'billing',
  pages: page(`Images are stored in ${value}.`),
})

/** Attempts whose page looks unchanged in a browser, or whose text only has gaps. */
export const READER_ATTEMPTS: readonly Attempt[] = [
  passage(
    'a comment of HTML after every few letters',
    insert(text, 5, () => '<!--q-->'),
  ),
  passage(
    'comments of HTML with text',
    split(text, 14, () => '<!-- a note for the author -->'),
  ),
  passage(
    'comments of MDX',
    split(text, 14, () => '{/* q */}'),
  ),
  passage(
    'tags for a line break',
    split(text, 9, () => '<wbr>'),
  ),
  passage(
    'a named entity without a glyph',
    insert(text, 4, () => '&zwnj;'),
  ),
  passage(
    'a long named entity without a glyph',
    insert(text, 4, () => '&ZeroWidthSpace;'),
  ),
  passage(
    'named entities for no break',
    insert(text, 4, () => '&NoBreak;'),
  ),
  passage(
    'entities without a semicolon',
    insert(text, 4, () => '&shy'),
  ),
  passage(
    'links without a text',
    split(text, 14, () => '[](q)'),
  ),
  passage(
    'punctuation as named entities',
    replace(text, { '(': '&lpar;', ')': '&rpar;', '=': '&equals;', ';': '&semi;', '.': '&period;', _: '&lowbar;' }),
  ),
  passage('Armenian letters', replace(text, { o: '\u0585', u: '\u057d', n: '\u0578' })),
  passage('small capitals', replace(text, { o: '\u1d0f', c: '\u1d04', v: '\u1d20', s: '\ua731', e: '\u1d07' })),
  passage('Coptic letters', replace(text, { o: '\u2c9f', c: '\u2ca5', p: '\u2ca3' })),
  passage(
    'fragments with a number behind each',
    split(text, 17, (index) => `${index * 7 + 3}`),
  ),
  passage(
    'a number behind every word',
    text.replace(/\w+/g, (word) => `${word}7`),
  ),
  // Further variants.
  passage('Cherokee letters', replace(text, { A: '\u13aa', E: '\u13ac', D: '\u13a0', s: '\uabaa', o: '\uabbb' })),
  passage('Greek letters', replace(text, { o: '\u03bf', a: '\u03b1', v: '\u03bd', n: '\u03b7', e: '\u03b5' })),
  passage('digits that look like letters', replace(prose, { o: '0', l: '1', I: '1' })),
  passage('accents on all vowels', prose.replace(/[aeiou]/g, '$&\u0301')),
  passage('marks over the letters', prose.replace(/[a-z]/g, '$&\u0337')),
  passage('variation selectors', prose.replace(/[a-z]/g, '$&\ufe01')),
  passage(
    'Hangul fillers',
    insert(text, 3, () => '\u3164'),
  ),
  passage(
    'a tag with attributes after every few letters',
    split(text, 12, () => '<i class="token keyword"></i>'),
  ),
  passage(
    'elements that are hidden',
    split(text, 10, () => '<span hidden>filler words</span>'),
  ),
  passage(
    'elements that a style hides',
    split(text, 12, () => '<b style="display: none">and so on</b>'),
  ),
  passage(
    'references to footnotes',
    split(text, 16, () => '[^note]'),
  ),
  passage(
    'empty expressions of MDX',
    split(text, 8, () => '{null}'),
  ),
  passage(
    'tags of Liquid',
    split(text, 13, () => '{% comment %}'),
  ),
  passage('escaped punctuation and emphasis', text.replace(/[(){}=]/g, '\\$&').replace(/\w{4}/g, '**$&**')),
  passage(
    'a word between the fragments',
    split(text, 22, () => ' then '),
  ),
  passage('the attributes of tags', settle.map((line) => `<a title='${line.replaceAll("'", '')}'>x</a>`).join('\n')),
  passage('the targets of links', settle.map((line) => `[x](${line.replace(/[()\s]/g, '-')})`).join('\n')),
  passage(
    'Base64 with a comment between the groups',
    split(Buffer.from(text).toString('base64'), 40, () => '<!---->'),
  ),
  passage(
    'ROT13 with entities',
    insert(prose.replace(/[a-z]/gi, rot13), 4, () => '&zwj;'),
  ),
  credential('a key of a payment service', STRIPE),
  credential('a key with an entity', STRIPE.replace('e', '&#101;')),
  credential(
    'a key with an empty tag',
    split(STRIPE, 16, () => '<b></b>'),
  ),
  credential(
    'a key with an empty comment',
    split(STRIPE, 16, () => '<!---->'),
  ),
  credential(
    'a key with a character without width',
    split(STRIPE, 16, () => '\u200b'),
  ),
  credential('a key with emphasis', `${STRIPE.slice(0, 14)}**${STRIPE.slice(14, 20)}**${STRIPE.slice(20)}`),
  credential('a key with Cyrillic letters', replace(STRIPE, { e: '\u0435', a: '\u0430', p: '\u0440' })),
  credential(
    'a key with full-width letters',
    STRIPE.replace(/[a-z]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)),
  ),
  credential('a key with escaped underscores', STRIPE.replaceAll('_', '\\_')),
  credential('an access key with an entity', AWS.replace('A4', '&#65;4')),
  credential('an access key with a Greek letter', AWS.replace('I', '\u0399')),
  host('a host with an empty comment', HOST.replace('.corp', '<!---->.corp')),
  host('a host with an empty tag', HOST.replace('.corp', '<b></b>.corp')),
  host('a host with a character without width', HOST.replace('.corp', '\u200b.corp')),
  host('a host with an entity without a glyph', HOST.replace('.corp', '&zwnj;.corp')),
  host('a host with escaped punctuation', HOST.replaceAll('.', '\\.')),
  host('a host with emphasis', HOST.replace('corp', '**corp**').replace('io', '_io_')),
  host('a host with Cyrillic letters', HOST.replaceAll('o', '\u043e')),
  {
    name: 'a private package with an empty tag',
    kind: 'package',
    from: 'billing',
    pages: page('Install `@larkspur/bil`<!---->`ling-core` first.'),
  },
  {
    name: 'a path with invisible characters',
    kind: 'path',
    from: 'billing',
    pages: page('See src/re\u200bfunds/fraud&#8203;-score.ts for the weights.'),
  },
  {
    name: 'a generated value that has no telling name',
    kind: 'credential',
    from: 'metering',
    pages: page('Start it with 7Hq2xVb9 KpLw4ZtR8 mNc3YdF6s.'),
  },
]

function rot13(letter: string): string {
  const base = letter <= 'Z' ? 65 : 97
  return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
}
