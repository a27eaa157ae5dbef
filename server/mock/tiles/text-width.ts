const narrow = new Set("ijlftrI.,' ()")
const wide = new Set('mwMWQOGD')

/**
 * Estimates the width of a text at font size 1. An image can neither measure text nor be sure of its font, so the estimate is generous:
 * better spare room than a cut label.
 */
export function textWidth(text: string): number {
  let width = 0
  for (const letter of text) width += narrow.has(letter) ? 0.36 : wide.has(letter) ? 0.86 : letter !== letter.toLowerCase() ? 0.7 : 0.6
  return width
}
