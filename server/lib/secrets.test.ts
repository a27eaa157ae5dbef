import { describe, expect, test } from 'vitest'
import { hashPassword, isSameSecret, matchesPassword, open, seal, sha256 } from './secrets.ts'

describe('passwords', () => {
  test('passwords are hashed with argon2id and 19 MiB, each with its own salt', async () => {
    const [one, other] = await Promise.all([hashPassword('Demo-1234'), hashPassword('Demo-1234')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(one).not.toBe(other)
    expect(one).not.toContain('Demo')
  })

  test('passwords in any script are verified exactly', async () => {
    const hash = await hashPassword('Šifra 春香 1')
    expect(await matchesPassword('Šifra 春香 1', hash)).toBe(true)
    for (const wrong of ['šifra 春香 1', 'Šifra 春香 1 ', '', 'Šifra 春香']) expect(await matchesPassword(wrong, hash)).toBe(false)
  })

  test('no password matches an unknown account or a broken hash', async () => {
    expect(await matchesPassword('Demo-1234', null)).toBe(false)
    expect(await matchesPassword('', null)).toBe(false)
    expect(await matchesPassword('Demo-1234', 'not a hash')).toBe(false)
  })

  test('verifying a password takes as long for an unknown account as for a real one', async () => {
    const hash = await hashPassword('Demo-1234')
    const fastest = async (known: string | null) => {
      let best = Number.POSITIVE_INFINITY
      for (let round = 0; round < 3; round++) {
        const start = performance.now()
        await matchesPassword('wrong', known)
        best = Math.min(best, performance.now() - start)
      }
      return best
    }
    const [real, nobody] = [await fastest(hash), await fastest(null)]
    expect(nobody / real).toBeGreaterThan(0.2)
  })
})

test('random secrets are stored as SHA-256', () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('two secrets match only when they are equal, whatever their lengths', () => {
  expect(isSameSecret('abc', 'abc')).toBe(true)
  expect(isSameSecret('', '')).toBe(true)
  for (const other of ['', 'ab', 'abcd', 'ABC', 'abć']) expect(isSameSecret('abc', other)).toBe(false)
})

const key = Buffer.alloc(32, 7)
const iv = '000102030405060708090a0b'

test('a sealed text opens with the same key for the same owner only', () => {
  const sealed = seal('A secret ✓', { key, owner: '1', iv })
  expect(sealed).not.toContain('secret')
  expect(open(sealed, { key, owner: '1' })).toBe('A secret ✓')
  expect(() => open(sealed, { key, owner: '2' })).toThrow()
  expect(() => open(sealed, { key: Buffer.alloc(32, 8), owner: '1' })).toThrow()
})

test('a changed byte of a sealed text is detected', () => {
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
