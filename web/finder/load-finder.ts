import { loadWords } from '#web/lib/i18n/i18n.ts'

export const loadFinder = async () => (await Promise.all([import('./finder-card.tsx'), loadWords(['trackers'])]))[0].finder
