import { deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/**
 * The same picture with a palette of at most 256 colours, which is what a page of text needs: a fourth of the size.
 * @param {Buffer} png 8 bits, RGB or RGBA, not interlaced, as browsers write it
 * @returns {Buffer}
 */
export function shrinkPng(png) {
  const { width, height, pixels } = decode(png)
  const palette = buildPalette(pixels)
  const nearest = new Map()
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0, i = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, i += 1) {
      const color = pixels[i]
      let index = nearest.get(color)
      if (index === undefined) {
        index = findNearest(palette, color)
        nearest.set(color, index)
      }
      rows[y * (width + 1) + 1 + x] = index
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  const colors = Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]))
  const data = deflateSync(rows, { level: 9, memLevel: 9 })
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colors),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function decode(png) {
  let width = 0
  let height = 0
  let bytes = 4
  const parts = []
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    const body = png.subarray(at + 8, at + 8 + length)
    if (type === 'IHDR') {
      width = body.readUInt32BE(0)
      height = body.readUInt32BE(4)
      if (body[8] !== 8 || ![2, 6].includes(body[9]) || body[12] !== 0) throw new Error('This kind of PNG is not read.')
      bytes = body[9] === 6 ? 4 : 3
    }
    if (type === 'IDAT') parts.push(body)
    at += 12 + length
  }
  const raw = inflateSync(Buffer.concat(parts))
  const stride = width * bytes
  const pixels = new Uint32Array(width * height)
  let before = Buffer.alloc(stride)
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)]
    const line = Buffer.from(raw.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)))
    for (let x = 0; x < stride; x += 1) {
      const left = x >= bytes ? line[x - bytes] : 0
      const corner = x >= bytes ? before[x - bytes] : 0
      line[x] = line[x] + predict(filter, left, before[x], corner)
    }
    for (let x = 0; x < width; x += 1) {
      const at = x * bytes
      pixels[y * width + x] = (line[at] << 16) | (line[at + 1] << 8) | line[at + 2]
    }
    before = line
  }
  return { width, height, pixels }
}

/** The filters of the PNG specification, section 9. */
function predict(filter, left, up, corner) {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  if (filter !== 4) return 0
  const estimate = left + up - corner
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

/** The most frequent colours, none of them close to a more frequent one. */
function buildPalette(pixels) {
  const counts = new Map()
  for (const color of pixels) counts.set(color, (counts.get(color) ?? 0) + 1)
  const colors = [...counts].sort((a, b) => b[1] - a[1]).map(([color]) => color)
  if (colors.length <= 256) return colors
  const palette = []
  for (const limit of [192, 48, 0]) {
    for (const color of colors) {
      if (palette.length === 256) return palette
      if (palette.every((known) => distance(known, color) > limit)) palette.push(color)
    }
  }
  return palette
}

function findNearest(palette, color) {
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (const [index, known] of palette.entries()) {
    const far = distance(known, color)
    if (far < least) {
      least = far
      best = index
    }
  }
  return best
}

const distance = (a, b) =>
  ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2

function chunk(type, body) {
  const out = Buffer.alloc(12 + body.length)
  out.writeUInt32BE(body.length, 0)
  out.write(type, 4, 'latin1')
  body.copy(out, 8)
  out.writeUInt32BE(crc32(out.subarray(4, 8 + body.length)), 8 + body.length)
  return out
}

function crc32(bytes) {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
