import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { writeBuildId } from './build-id.ts'

test('R-2.76 the id of a build changes when its page changes', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-'))
  const idOf = (page: string) => {
    writeFileSync(path.join(folder, 'index.html'), page)
    writeBuildId(folder)
    return readFileSync(path.join(folder, 'build.txt'), 'utf8')
  }
  const first = idOf('<script src="/assets/main-1.js"></script>')
  expect(first).toMatch(/^[0-9a-f]{12}\n$/)
  expect(idOf('<script src="/assets/main-1.js"></script>')).toBe(first)
  expect(idOf('<script src="/assets/main-2.js"></script>')).not.toBe(first)
  rmSync(folder, { recursive: true })
})
