import { posix } from 'node:path'
import type { DocSite } from '../model/doc-site.ts'
import { shuffle } from './shuffle.ts'

/** Chooses pages to move, with their new paths: renamed, in another folder, or in a new folder. */
export function chooseTargets(site: DocSite, count: number, random: () => number): (readonly [string, string])[] {
  const folders = [...new Set(site.content.map(({ path }) => posix.dirname(path)))]
  const moves: (readonly [string, string])[] = []
  for (const { path } of shuffle(site.content, random)) {
    if (moves.length >= count) break
    const to = chooseTarget(site, path, folders, random)
    if (to !== null && !site.files.has(to)) moves.push([path, to])
  }
  return moves
}

function chooseTarget(site: DocSite, path: string, folders: readonly string[], random: () => number): string | null {
  const [folder, name] = [posix.dirname(path), posix.basename(path)]
  const extension = posix.extname(name)
  const stem = name.slice(0, -extension.length)
  if (/^(?:index|readme|_index|page)$/i.test(stem)) {
    return site.layout.content.includes(folder) || folder === '.' ? null : `${folder}-moved/${name}`
  }
  const way = random()
  const own = site.layout.content.find((root) => root === '' || folder === root || folder.startsWith(`${root}/`))
  const near = folders.filter(
    (other) => other !== folder && (own === '' || other === own || other.startsWith(`${own}/`)),
  )
  const other = near[Math.floor(random() * near.length)]
  if (way < 0.3 && other !== undefined) return posix.join(other, name)
  if (way < 0.5) return posix.join(folder, 'moved-pages', name)
  return posix.join(folder, `${stem}-moved${extension}`)
}
