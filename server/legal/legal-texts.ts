import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { LANGUAGES, type Language } from '#contracts/lib/languages.ts'
import { LEGAL_NAMES, type LegalName } from '#contracts/lib/legal-names.ts'
import { sha256 } from '#server/lib/secrets.ts'
import type { LEGAL_SETTINGS } from './legal-settings.ts'
import { parseText, type TextBlock } from './parse-text.ts'

/** A text of the operator at an address of its own, or as files of which each is one language. */
export type LegalText = { url: string } | { texts: Partial<Record<Language, TextBlock[]>> }

export type LegalTexts = {
  texts: Partial<Record<LegalName, LegalText>>
  /** The version of the terms that users accept; null without terms. */
  termsVersion: string | null
}

type LegalConfig = { [name in keyof typeof LEGAL_SETTINGS]?: string | undefined }

const FILE = /^(?<name>[^.]+)\.(?<language>[^.]+)\.md$/
const VERSION_LENGTH = 12

/** Reads the terms, the privacy policy and the imprint that the configuration names. Throws a sentence for what cannot be used. */
export function readLegalTexts(config: LegalConfig): LegalTexts {
  const { LEGAL_DIR: folder, TERMS_URL: terms, PRIVACY_URL: privacy, IMPRINT_URL: imprint } = config
  const files = folder === undefined ? [] : readFiles(folder)
  const links = { terms, privacy, imprint }
  const texts: LegalTexts['texts'] = {}
  for (const name of LEGAL_NAMES) {
    const url = links[name]
    const own = files.filter((file) => file.name === name)
    if (url !== undefined && own.length > 0)
      throw new Error(`${name.toUpperCase()}_URL is set, and LEGAL_DIR has ${own[0]!.file}. Remove one of the two.`)
    if (url !== undefined) texts[name] = { url }
    else if (own.length > 0) texts[name] = { texts: Object.fromEntries(own.map(({ language, text }) => [language, parseText(text)])) }
  }
  if (config.TERMS_VERSION !== undefined && !texts.terms) throw new Error('TERMS_VERSION is set without terms: set TERMS_URL or LEGAL_DIR.')
  const content = terms ?? files.filter(({ name }) => name === 'terms').map(({ file, text }) => `${file}\n${text}`)
  const hash = sha256(JSON.stringify(content)).slice(0, VERSION_LENGTH)
  return { texts, termsVersion: texts.terms ? (config.TERMS_VERSION ?? hash) : null }
}

/** In the order of their names, so that the version does not depend on the order of the folder. */
function readFiles(folder: string) {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new Error(`LEGAL_DIR=${folder} is not a folder.`)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md') && !/^readme\.md$/i.test(file))
    .sort()
    .map((file) => {
      const parts = FILE.exec(file)?.groups
      const name = LEGAL_NAMES.find((each) => each === parts?.name)
      const language = LANGUAGES.find((each) => each === parts?.language)
      if (!name || !language)
        throw new Error(
          `LEGAL_DIR has ${file}. Name files like terms.en.md: ${LEGAL_NAMES.join(', ')}, in the languages ${LANGUAGES.join(', ')}.`,
        )
      const text = readFileSync(path.join(folder, file), 'utf8').replace(/^\uFEFF/, '')
      if (text.trim() === '') throw new Error(`LEGAL_DIR has ${file}, which is empty.`)
      return { file, name, language, text }
    })
}

/** What `/config.json` says about them; undefined without any. */
export function describeLegalTexts({ texts, termsVersion }: LegalTexts) {
  const entries = Object.entries(texts).map(([name, text]) => [
    name,
    {
      ...('url' in text ? { url: text.url } : { languages: Object.keys(text.texts) }),
      ...(name === 'terms' && termsVersion !== null && { version: termsVersion }),
    },
  ])
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}
