import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, test } from 'vitest'

const MOST = 15 * 1024

test('the demo bar is one small script that calls its own origin only and never parses text as markup', async () => {
  const built = await build({ configFile: 'vite.bar.config.ts', logLevel: 'silent', build: { write: false } })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ('output' in one ? one.output : []))
  expect(outputs.map(({ fileName }) => fileName)).toEqual(['bar.js'])
  const [chunk] = outputs
  const code = chunk?.type === 'chunk' ? chunk.code : ''
  expect(gzipSync(code).length).toBeLessThan(MOST)
  expect(code.match(/https?:\/\/[^"'`\s]+/g)).toEqual(['http://www.w3.org/2000/svg'])
  expect(code).not.toMatch(/innerHTML|insertAdjacentHTML|\beval\(/)
})
