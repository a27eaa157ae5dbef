import { loadWords } from '#web/lib/i18n/i18n.ts'

export const loadFinder = async () => (await Promise.all([import('./finder-card.tsx'), loadWords(['trackers'])]))[0].finder

/** Where a visitor of a public link is, and what they can do. */
export const loadVisitorMap = async () => (await Promise.all([import('./finder-map.tsx'), loadWords(['trackers'])]))[0]
