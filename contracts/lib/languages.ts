/** Languages of the portal; the first is the fallback. */
export const LANGUAGES = ['en', 'fr', 'de', 'es', 'it', 'nl', 'pt', 'sv', 'fi', 'hu', 'cs', 'ja'] as const
export type Language = (typeof LANGUAGES)[number]
