/** The browser's regional tag for the language, so that `en` in a browser set to `en-GB` is formatted the British way. */
export const regionalTag = (language: string, browserLanguages: readonly string[]) =>
  browserLanguages.find((tag) => tag === language || tag.startsWith(`${language}-`)) ?? language
