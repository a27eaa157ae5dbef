const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text as it stands in a page or in XML, which has no control characters. */
export const escaped = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids
  text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '').replace(/[&<>"']/g, (character) => ENTITIES[character]!)
