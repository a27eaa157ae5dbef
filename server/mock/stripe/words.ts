import { LANGUAGES, type Language } from '#contracts/lib/constants.ts'
import cs from '#locales/cs/test-payment.json' with { type: 'json' }
import de from '#locales/de/test-payment.json' with { type: 'json' }
import en from '#locales/en/test-payment.json' with { type: 'json' }
import es from '#locales/es/test-payment.json' with { type: 'json' }
import fi from '#locales/fi/test-payment.json' with { type: 'json' }
import fr from '#locales/fr/test-payment.json' with { type: 'json' }
import hu from '#locales/hu/test-payment.json' with { type: 'json' }
import it from '#locales/it/test-payment.json' with { type: 'json' }
import ja from '#locales/ja/test-payment.json' with { type: 'json' }
import nl from '#locales/nl/test-payment.json' with { type: 'json' }
import pt from '#locales/pt/test-payment.json' with { type: 'json' }
import sv from '#locales/sv/test-payment.json' with { type: 'json' }

export type Words = typeof en

const WORDS: Record<Language, Words> = { en, fr, de, es, it, nl, pt, sv, fi, hu, cs, ja }

/** The requested language; English for `auto` and unsupported ones. */
export const supportedLanguage = (locale: string | null | undefined): Language => LANGUAGES.find((language) => language === locale) ?? 'en'

export const getWords = (language: Language) => WORDS[language]
