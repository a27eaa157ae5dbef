import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startHttp } from '#server/test/test-app.ts'
import { describeLegalTexts, readLegalTexts } from './legal-texts.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'whereabouts-legal-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text)
const read = (more = {}) => readLegalTexts({ LEGAL_DIR: folder, ...more })

describe('the texts of LEGAL_DIR', () => {
  test('without any setting there are no texts', () => {
    const legal = readLegalTexts({})
    expect(legal).toEqual({ texts: {}, termsVersion: null })
    expect(describeLegalTexts(legal)).toBeUndefined()
  })

  test('files and addresses are listed with their languages and the version of the terms', () => {
    write('terms.en.md', '# Terms\n\nBe kind.')
    write('terms.de.md', '# Bedingungen')
    write('README.md', 'How to write these')
    const legal = describeLegalTexts(read({ IMPRINT_URL: 'https://shop.example/imprint' }))
    expect(legal).toEqual({
      terms: { languages: ['de', 'en'], version: expect.stringMatching(/^[0-9a-f]{12}$/) },
      imprint: { url: 'https://shop.example/imprint' },
    })
  })

  test('the version follows the terms and not the privacy policy, unless TERMS_VERSION sets it', () => {
    write('terms.en.md', 'Be kind.')
    const before = read().termsVersion
    write('privacy.en.md', 'We store positions.')
    expect(read().termsVersion).toBe(before)
    write('terms.en.md', 'Be kinder.')
    expect(read().termsVersion).not.toBe(before)
    expect(read({ TERMS_VERSION: '2026-11' }).termsVersion).toBe('2026-11')
  })

  test('a file with another name, an empty file and a folder that is missing are refused with a sentence', () => {
    expect(() => readLegalTexts({ LEGAL_DIR: path.join(folder, 'nowhere') })).toThrow('is not a folder')
    write('terms.md', 'Be kind.')
    expect(read).toThrow('LEGAL_DIR has terms.md. Name files like terms.en.md')
    rmSync(path.join(folder, 'terms.md'))
    write('terms.en.md', ' \n')
    expect(read).toThrow('LEGAL_DIR has terms.en.md, which is empty.')
  })

  test('an address beside files of the same text is refused, because only one of them can hold', () => {
    write('terms.en.md', 'Be kind.')
    expect(() => read({ TERMS_URL: 'https://shop.example/terms' })).toThrow('TERMS_URL is set, and LEGAL_DIR has terms.en.md.')
    expect(() => readLegalTexts({ TERMS_VERSION: '1' })).toThrow('TERMS_VERSION is set without terms')
  })

  test('HTML and script addresses in a file stay plain text', () => {
    write('terms.en.md', 'Hello <script>alert(1)</script> [a](javascript:alert(1)) [b](https://shop.example/b)\n\n1. one\n2. two')
    const legal = read()
    expect('texts' in legal.texts.terms! && legal.texts.terms.texts.en).toEqual([
      {
        tag: 'p',
        children: [
          'Hello <script>alert(1)</script> [a](javascript:alert(1)) ',
          { tag: 'a', href: 'https://shop.example/b', children: ['b'] },
        ],
      },
      {
        tag: 'ol',
        children: [
          { tag: 'li', children: ['one'] },
          { tag: 'li', children: ['two'] },
        ],
      },
    ])
  })

  test('a text is served as a file of the portal, and an unknown one gets 404', async () => {
    write('terms.en.md', 'Be kind.')
    await using portal = await startHttp({ legal: read() })
    const { body, headers } = await portal.http().get('/legal/texts/terms.en.json').expect(200)
    expect(body).toEqual([{ tag: 'p', children: ['Be kind.'] }])
    expect(headers['cache-control']).toBe('no-cache')
    for (const file of ['terms.de.json', 'privacy.en.json', '..%2Fterms.en.md']) await portal.http().get(`/legal/texts/${file}`).expect(404)
  })
})
