import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

type Icon = { src: string; type: string; sizes: string; purpose?: string }
type Screenshot = { src: string; type: string; sizes: string; form_factor: string; label: string }

const fileOf = (url: string) => path.join('web/public', url)
const page = readFileSync('web/index.html', 'utf8')
const manifest = JSON.parse(readFileSync(fileOf('manifest.webmanifest'), 'utf8')) as Record<string, string> & {
  icons: Icon[]
  screenshots: Screenshot[]
}

/** Width and height of a PNG: bytes 16 to 23, big-endian. */
const sizeOf = (file: string) => {
  const bytes = readFileSync(file)
  expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG')
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`
}

test('the manifest has everything a browser needs to install the portal', () => {
  expect(manifest).toMatchObject({ id: '/', start_url: '/', scope: '/', display: 'standalone' })
  for (const field of ['name', 'short_name', 'description']) expect(manifest[field], field).toMatch(/\w/)
  for (const field of ['background_color', 'theme_color']) expect(page).toContain(`content="${manifest[field]}"`)
})

test("the manifest's icons have the sizes it states, and one of them is maskable", () => {
  const drawn = manifest.icons.filter(({ type }) => type === 'image/png')
  expect(drawn.map(({ src }) => sizeOf(fileOf(src)))).toEqual(drawn.map(({ sizes }) => sizes))
  expect(drawn.map(({ sizes, purpose }) => [sizes, purpose])).toEqual([
    ['192x192', undefined],
    ['512x512', undefined],
    ['512x512', 'maskable'],
  ])
  expect(readFileSync(fileOf('icons/icon.svg'), 'utf8')).toMatch(/^<svg /)
})

test('the page links the manifest and an icon for home screens', () => {
  const hrefOf = (rel: string) => new RegExp(`<link rel="${rel}" href="([^"]+)"`).exec(page)?.[1] ?? ''
  expect(hrefOf('manifest')).toBe('/manifest.webmanifest')
  expect(sizeOf(fileOf(hrefOf('apple-touch-icon')))).toBe('180x180')
})

test('the icon that browsers request from every host contains the sizes for tabs and bookmarks', () => {
  const bytes = readFileSync('web/public/favicon.ico')
  expect([bytes.readUInt16LE(0), bytes.readUInt16LE(2)]).toEqual([0, 1])
  const images = Array.from({ length: bytes.readUInt16LE(4) }, (_, index) => {
    const entry = bytes.subarray(6 + 16 * index)
    const png = bytes.subarray(entry.readUInt32LE(12), entry.readUInt32LE(12) + entry.readUInt32LE(8))
    expect(png.subarray(1, 4).toString('latin1')).toBe('PNG')
    return [entry[0], png.readUInt32BE(16), png.readUInt32BE(20)]
  })
  expect(images).toEqual([16, 32, 48].map((size) => [size, size, size]))
})

/** Width and height of a lossy WebP: 14 bits each, after the start code of its frame. */
const sizeOfWebp = (file: string) => {
  const bytes = readFileSync(file)
  expect(bytes.subarray(12, 16).toString('latin1')).toBe('VP8 ')
  return `${bytes.readUInt16LE(26) & 0x3fff}x${bytes.readUInt16LE(28) & 0x3fff}`
}

test("the manifest's screenshots have the sizes it states, narrow ones in portrait and wide ones in landscape", () => {
  const { screenshots } = manifest
  expect(screenshots.map(({ src }) => sizeOfWebp(fileOf(src)))).toEqual(screenshots.map(({ sizes }) => sizes))
  for (const { sizes, form_factor, label } of screenshots) {
    const [width = 0, height = 0] = sizes.split('x').map(Number)
    expect([width < height ? 'narrow' : 'wide', label]).toEqual([form_factor, expect.stringMatching(/\w/)])
    // Browsers ignore pictures taller than this.
    expect(Math.max(width, height) / Math.min(width, height)).toBeLessThan(2.3)
  }
  expect(new Set(screenshots.map(({ form_factor }) => form_factor))).toEqual(new Set(['narrow', 'wide']))
})
