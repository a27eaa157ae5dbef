/** The font parser of pdfkit. pdfkit accepts parsed fonts as well, although its own types do not say so. */
declare module 'fontkit' {
  export type Typeface = {
    ascent: number
    unitsPerEm: number
    layout(text: string, features?: object, script?: string, language?: string, direction?: 'ltr' | 'rtl'): unknown
    hasGlyphForCodePoint(character: number): boolean
  }
  export function create(bytes: Uint8Array): Typeface
}

declare namespace PDFKit.Mixins {
  interface PDFFont {
    registerFont(name: string, typeface: import('fontkit').Typeface): this
  }
}
