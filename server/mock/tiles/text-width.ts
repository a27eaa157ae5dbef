const narrow = new Set("ijlftrI.,' ()")
const wide = new Set('mwMWQOGD')

/**
 * About how wide a text comes out, for one unit of font size. An image cannot measure, nor be sure of its font, so this
 * leans to the wide side: a label has room to spare rather than being cut.
 */
export function textWidth(text: string): number {
  let width = 0
  for (const letter of text) width += narrow.has(letter) ? 0.36 : wide.has(letter) ? 0.86 : letter !== letter.toLowerCase() ? 0.7 : 0.6
  return width
}
