/** `en` for a browser set to `en-GB` is written the British way: the region is the browser's when the language agrees. */
export const regionalTag = (language: string, browserLanguages: readonly string[]) =>
  browserLanguages.find((tag) => tag === language || tag.startsWith(`${language}-`)) ?? language
