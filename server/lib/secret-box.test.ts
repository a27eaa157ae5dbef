import { expect, test } from 'vitest'
import { open, seal } from './secret-box.ts'

const key = Buffer.alloc(32, 7)
const iv = '000102030405060708090a0b'

test('a sealed text opens with the same key for the same owner only', () => {
  const sealed = seal('A secret ✓', { key, owner: '1', iv })
  expect(sealed).not.toContain('secret')
  expect(open(sealed, { key, owner: '1' })).toBe('A secret ✓')
  expect(() => open(sealed, { key, owner: '2' })).toThrow()
  expect(() => open(sealed, { key: Buffer.alloc(32, 8), owner: '1' })).toThrow()
})

test('a changed byte of a sealed text is noticed', () => {
  const bytes = Buffer.from(seal('A secret', { key, owner: '1', iv }), 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1
    expect(() => open(changed.toString('base64url'), { key, owner: '1' })).toThrow()
  }
})

test('an IV of the wrong length is refused', () => {
  expect(() => seal('A secret', { key, owner: '1', iv: '00' })).toThrow('12 bytes')
})
