import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressFolder } from './compress.ts'

test('text files get a brotli and a gzip copy that decompress to the same bytes; fonts and tiny files do not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'whereabouts-compress-'))
  const text = 'const x = 1\n'.repeat(500)
  for (const name of ['a.js', 'b.woff2']) writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, 'tiny.css'), 'a{}')
  expect(await compressFolder(folder)).toContain('1 files pre-compressed')
  expect(brotliDecompressSync(readFileSync(join(folder, 'a.js.br'))).toString()).toBe(text)
  expect(gunzipSync(readFileSync(join(folder, 'a.js.gz'))).toString()).toBe(text)
  expect([existsSync(join(folder, 'b.woff2.br')), existsSync(join(folder, 'tiny.css.gz'))]).toEqual([false, false])
  rmSync(folder, { recursive: true })
})
