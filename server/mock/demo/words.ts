import type { Language } from '#contracts/lib/constants.ts'
import cs from '#locales/cs/demo.json' with { type: 'json' }
import de from '#locales/de/demo.json' with { type: 'json' }
import en from '#locales/en/demo.json' with { type: 'json' }
import es from '#locales/es/demo.json' with { type: 'json' }
import fi from '#locales/fi/demo.json' with { type: 'json' }
import fr from '#locales/fr/demo.json' with { type: 'json' }
import hu from '#locales/hu/demo.json' with { type: 'json' }
import it from '#locales/it/demo.json' with { type: 'json' }
import ja from '#locales/ja/demo.json' with { type: 'json' }
import nl from '#locales/nl/demo.json' with { type: 'json' }
import pt from '#locales/pt/demo.json' with { type: 'json' }
import sv from '#locales/sv/demo.json' with { type: 'json' }

const DEMO_WORDS: Record<Language, typeof en> = { en, fr, de, es, it, nl, pt, sv, fi, hu, cs, ja }

export const getDemoWords = (language: Language) => DEMO_WORDS[language]
