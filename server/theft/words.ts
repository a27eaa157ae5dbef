import type { Language } from '#contracts/lib/constants.ts'
import cs from '#locales/cs/theft-form.json' with { type: 'json' }
import de from '#locales/de/theft-form.json' with { type: 'json' }
import en from '#locales/en/theft-form.json' with { type: 'json' }
import es from '#locales/es/theft-form.json' with { type: 'json' }
import fi from '#locales/fi/theft-form.json' with { type: 'json' }
import fr from '#locales/fr/theft-form.json' with { type: 'json' }
import hu from '#locales/hu/theft-form.json' with { type: 'json' }
import it from '#locales/it/theft-form.json' with { type: 'json' }
import ja from '#locales/ja/theft-form.json' with { type: 'json' }
import nl from '#locales/nl/theft-form.json' with { type: 'json' }
import pt from '#locales/pt/theft-form.json' with { type: 'json' }
import sv from '#locales/sv/theft-form.json' with { type: 'json' }

export type Words = typeof en

export const words: Record<Language, Words> = { en, fr, de, es, it, nl, pt, sv, fi, hu, cs, ja }
