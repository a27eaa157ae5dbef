const files = import.meta.glob<object>('../../../locales/*/portal-*.json', { import: 'default' })

export const loadPart = (language: string, part: string) => files[`../../../locales/${language}/portal-${part}.json`]?.()
