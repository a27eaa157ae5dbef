const files = import.meta.glob<object>('../../../locales/*/portal-*.json', { import: 'default' })

/** Loads the translations of one part in one language. */
export const loadPart = (language: string, part: string) => files[`../../../locales/${language}/portal-${part}.json`]?.()
