import i18next from 'i18next'
import type { Language } from '#contracts/lib/languages.ts'
import cs from '#locales/cs/mail.json' with { type: 'json' }
import de from '#locales/de/mail.json' with { type: 'json' }
import en from '#locales/en/mail.json' with { type: 'json' }
import es from '#locales/es/mail.json' with { type: 'json' }
import fi from '#locales/fi/mail.json' with { type: 'json' }
import fr from '#locales/fr/mail.json' with { type: 'json' }
import hu from '#locales/hu/mail.json' with { type: 'json' }
import it from '#locales/it/mail.json' with { type: 'json' }
import ja from '#locales/ja/mail.json' with { type: 'json' }
import nl from '#locales/nl/mail.json' with { type: 'json' }
import pt from '#locales/pt/mail.json' with { type: 'json' }
import sv from '#locales/sv/mail.json' with { type: 'json' }

type Leaves<T, Path extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${Path}${K}` : Leaves<T[K], `${Path}${K}.`>
}[keyof T & string]
type WithoutForm<Key> = Key extends `${infer Base}_one` | `${infer Base}_other` ? Base : Key

/** Every key of the English file without its plural suffix; `count` picks the plural form. */
export type MailKey = WithoutForm<Leaves<typeof en>>
export type Translate = (key: MailKey, values?: Record<string, string | number>) => string

const NS = 'mail'
const words = { en, fr, de, es, it, nl, pt, sv, fi, hu, cs, ja }

const i18n = i18next.createInstance({
  lng: 'en',
  fallbackLng: 'en',
  ns: NS,
  defaultNS: NS,
  resources: Object.fromEntries(Object.entries(words).map(([language, mail]) => [language, { [NS]: mail }])),
  initAsync: false,
  interpolation: { escapeValue: false, skipOnVariables: true },
})
void i18n.init()

/** Returns the translate function of a language. Values are inserted as they are: HTML must be escaped by the caller. */
export function createTranslate(language: Language): Translate {
  const t = i18n.getFixedT(language) as (key: string, values?: object) => string
  return (key, values) => t(key, values)
}
