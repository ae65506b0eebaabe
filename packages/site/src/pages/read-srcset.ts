/** An image in a `srcset` attribute. */
interface SrcsetImage {
  readonly href: string
  /** Offset in the value. */
  readonly at: number
}

const MAX_IMAGES = 100
/** Matches one path with spaces and without a size, as GitBook writes it. */
const PATH_WITH_SPACES = /^[^,]{0,1000}\S\.(?:png|jpe?g|gif|svg|webp|avif)$/i

/** Returns the images in the value of a `srcset` attribute, without their sizes. */
export function readSrcset(value: string): SrcsetImage[] {
  const path = value.trim()
  if (PATH_WITH_SPACES.test(path)) return [{ href: path, at: value.indexOf(path) }]
  const images: SrcsetImage[] = []
  let isSize = false
  for (const { 0: word, index } of value.matchAll(/\S+/g)) {
    if (images.length >= MAX_IMAGES) break
    const start = isSize ? word.length : word.search(/[^,]/)
    const href = start === -1 ? '' : word.slice(start).replace(/(?<!,),+$/, '')
    if (href !== '') images.push({ href, at: index + start })
    isSize = !word.endsWith(',')
  }
  return images
}

export function isSrcset(name: string): boolean {
  return name === 'srcset' || name === 'srcSet'
}
