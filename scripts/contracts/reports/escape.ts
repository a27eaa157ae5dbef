const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML and XML; control characters are removed because XML forbids them. */
export const escapeMarkup = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids
  text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '').replace(/[&<>"']/g, (character) => ENTITIES[character]!)
