import type { DocSite } from '../model/doc-site.ts'
import type { DefectKind, DefectPlace } from './defect.ts'

const FORMS: readonly (readonly [RegExp, RegExp])[] = [
  [/(?:docs|mint)\.json$/, /"destination":\s*"(\/[^"\s:*]+)"/g],
  [/_redirects$/, /^\/[^\s:*]+[ \t]+(\/[^\s:*#]+)/gm],
  [/mkdocs\.ya?ml$/, /^[ \t]+['"]?[\w/.-]+\.md['"]?:[ \t]+['"]?([\w/.-]+\.md)['"]?[ \t]*$/gm],
  [/\.gitbook\.ya?ml$/, /^[ \t]{2,}[\w/.-]+:[ \t]+['"]?(?:\.\/)?([\w/.-]+\.md)/gm],
]

function listDead(site: DocSite): DefectPlace[] {
  return site.navigation.flatMap((file) => {
    const text = site.tree.text(file) ?? ''
    const pattern = FORMS.find(([name]) => name.test(file))?.[1]
    return [...(pattern === undefined ? [] : text.matchAll(pattern))].flatMap((match): DefectPlace[] => {
      const value = match[1] ?? ''
      // A value that is also an entry would be a defect of the navigation.
      if (/mkdocs/.test(file) && !/redirect_maps/.test(text.slice(0, match.index))) return []
      if (site.resolveEntry(file, value) === null) return []
      const start = match.index + match[0].lastIndexOf(value)
      const broken = value.replace(/(\.mdx?|\/|#.*)?$/, '-nowhere$1')
      return [
        {
          where: `${file}: ${value}`,
          build: () => [{ path: file, text: text.slice(0, start) + broken + text.slice(start + value.length) }],
        },
      ]
    })
  })
}

function listLoops(site: DocSite): DefectPlace[] {
  return site.navigation.flatMap((file): DefectPlace[] => {
    const text = site.tree.text(file) ?? ''
    const names = [1, 2, 3, 4, 5].map((at) => [`/gone-${at}-a`, `/gone-${at}-b`] as const)
    return names.flatMap(([a, b]): DefectPlace[] => {
      if (/(?:docs|mint)\.json$/.test(file)) {
        const added = `"redirects": [{ "source": "${a}", "destination": "${b}" }, { "source": "${b}", "destination": "${a}" }, `
        const changed = text.replace(/"redirects":\s*\[\s*(?=\{)/, added)
        return changed === text ? [] : [{ where: `${file}: ${a}`, build: () => [{ path: file, text: changed }] }]
      }
      if (!/_redirects$/.test(file)) return []
      return [{ where: `${file}: ${a}`, build: () => [{ path: file, text: `${a} ${b} 301\n${b} ${a} 301\n${text}` }] }]
    })
  })
}

export const REDIRECT_DEFECTS: readonly DefectKind[] = [
  { id: 'redirect-dead', group: 'core', list: listDead },
  { id: 'redirect-loop', group: 'core', list: listLoops },
]
