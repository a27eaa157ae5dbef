import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, test } from 'vitest'

/** Size limits in bytes: of the files that every page loads, and of all chunks together. */
const MOST = { first: 4 * 1024, altogether: 46 * 1024 }

test('the panel loads at most 4 KB with every page, requests only its own origin and never turns text into markup', async () => {
  const built = await build({ configFile: 'vite.panel.config.ts', logLevel: 'silent', build: { write: false } })
  const chunks = 'output' in built ? built.output.filter((one) => one.type === 'chunk') : []
  const sizes = chunks.map(({ code }) => gzipSync(code).length)
  const first = chunks.filter(({ isEntry }) => isEntry)
  expect(first.map(({ fileName, imports }) => [fileName, imports])).toEqual([['panel.js', []]])
  expect(sizes[chunks.indexOf(first[0]!)]).toBeLessThan(MOST.first)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(MOST.altogether)
  for (const { code } of chunks) expect(code).not.toMatch(/https?:\/\/\w|innerHTML|insertAdjacentHTML|\beval\(/)
})
