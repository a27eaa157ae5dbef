import type { Language } from '#contracts/lib/constants.ts'
import cs from '#locales/cs/invoice.json' with { type: 'json' }
import de from '#locales/de/invoice.json' with { type: 'json' }
import en from '#locales/en/invoice.json' with { type: 'json' }
import es from '#locales/es/invoice.json' with { type: 'json' }
import fi from '#locales/fi/invoice.json' with { type: 'json' }
import fr from '#locales/fr/invoice.json' with { type: 'json' }
import hu from '#locales/hu/invoice.json' with { type: 'json' }
import it from '#locales/it/invoice.json' with { type: 'json' }
import ja from '#locales/ja/invoice.json' with { type: 'json' }
import nl from '#locales/nl/invoice.json' with { type: 'json' }
import pt from '#locales/pt/invoice.json' with { type: 'json' }
import sv from '#locales/sv/invoice.json' with { type: 'json' }

export type Words = typeof en

export const words: Record<Language, Words> = { en, fr, de, es, it, nl, pt, sv, fi, hu, cs, ja }
