import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, test } from 'vitest'

/** What every page loads, and all of it, in bytes. */
const MOST = { first: 4 * 1024, altogether: 40 * 1024 }

test('every page loads little of the panel, which asks nobody but its own origin and makes no markup of texts', async () => {
  const built = await build({ configFile: 'vite.panel.config.ts', logLevel: 'silent', build: { write: false } })
  const chunks = 'output' in built ? built.output.filter((one) => one.type === 'chunk') : []
  const sizes = chunks.map(({ code }) => gzipSync(code).length)
  const first = chunks.filter(({ isEntry }) => isEntry)
  expect(first.map(({ fileName, imports }) => [fileName, imports])).toEqual([['panel.js', []]])
  expect(sizes[chunks.indexOf(first[0]!)]).toBeLessThan(MOST.first)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(MOST.altogether)
  for (const { code } of chunks) expect(code).not.toMatch(/https?:\/\/\w|innerHTML|insertAdjacentHTML|\beval\(/)
})
