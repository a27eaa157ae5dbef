const files = import.meta.glob<object>('../../../locales/*/portal-*.json', { import: 'default' })

/** What only some screens say, in one language. */
export const partOf = (language: string, part: string) => files[`../../../locales/${language}/portal-${part}.json`]?.()
