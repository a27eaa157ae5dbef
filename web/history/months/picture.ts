/** The content of a year's picture. It has no positions and no addresses; names of places only if their owner wants them. */
export type PictureText = {
  title: string
  total: string
  subtitle: string | null
  facts: readonly { label: string; value: string }[]
  bars: readonly { label: string; share: number }[]
  names: readonly { label: string; value: string }[]
  product: string
}

const [WIDTH, HEIGHT] = [1080, 1350]
const MARGIN = 84
const INK = '#ffffff'
const PALE = 'rgb(255 255 255 / 0.72)'
/** Both themes use the same colours, because the picture leaves the portal. */
const NIGHT = '#101b2d'

/** Draws the picture as a PNG, in the colour of the tracker's kind; null where the browser can't. */
export async function renderPicture(text: PictureText, colour: string): Promise<File | null> {
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH
  canvas.height = HEIGHT
  const pen = canvas.getContext('2d')
  if (!pen) return null
  // Without loading the font first, the first picture would have another one.
  await document.fonts?.load('600 40px "Inter Variable"').catch(() => undefined)
  drawPicture(pen, text, colour)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  return blob && new File([blob], `${text.title.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '-')}.png`, { type: 'image/png' })
}

export function drawPicture(pen: CanvasRenderingContext2D, text: PictureText, colour: string) {
  const sky = pen.createLinearGradient(0, 0, WIDTH * 0.6, HEIGHT)
  sky.addColorStop(0, colour)
  sky.addColorStop(0.62, NIGHT)
  pen.fillStyle = NIGHT
  pen.fillRect(0, 0, WIDTH, HEIGHT)
  pen.fillStyle = sky
  pen.fillRect(0, 0, WIDTH, HEIGHT)
  // Keeps white text legible on light colours.
  pen.fillStyle = 'rgb(16 27 45 / 0.3)'
  pen.fillRect(0, 0, WIDTH, HEIGHT)

  const write = (words: string, x: number, y: number, { size, weight = 600, ink = INK, width = WIDTH - 2 * MARGIN }: Look) => {
    pen.fillStyle = ink
    pen.textBaseline = 'alphabetic'
    for (let fitted = size; ; fitted -= 2) {
      pen.font = `${weight} ${fitted}px "Inter Variable", system-ui, sans-serif`
      if (fitted <= size / 2 || pen.measureText(words).width <= width) break
    }
    pen.fillText(words, x, y, width)
  }

  write(text.title, MARGIN, 160, { size: 62, weight: 650 })
  write(text.total, MARGIN, 330, { size: 156, weight: 750 })
  if (text.subtitle) write(text.subtitle, MARGIN, 396, { size: 36, weight: 500, ink: PALE })

  const column = (WIDTH - 2 * MARGIN) / 2
  for (const [nth, { label, value }] of text.facts.entries()) {
    const [x, y] = [MARGIN + (nth % 2) * column, 510 + Math.floor(nth / 2) * 132]
    write(label, x, y, { size: 30, weight: 500, ink: PALE, width: column - 30 })
    write(value, x, y + 58, { size: 52, weight: 680, width: column - 30 })
  }

  const [base, tallest] = [text.names.length > 0 ? 1010 : 1150, text.names.length > 0 ? 150 : 290]
  const step = (WIDTH - 2 * MARGIN) / Math.max(1, text.bars.length)
  pen.textAlign = 'center'
  for (const [nth, { label, share }] of text.bars.entries()) {
    const height = Math.max(6, share * tallest)
    pen.fillStyle = share > 0 ? INK : 'rgb(255 255 255 / 0.25)'
    pen.beginPath()
    pen.roundRect(MARGIN + nth * step + step * 0.18, base - height, step * 0.64, height, 10)
    pen.fill()
    write(label, MARGIN + (nth + 0.5) * step, base + 44, { size: 26, weight: 500, ink: PALE, width: step })
  }
  pen.textAlign = 'left'
  for (const [nth, { label, value }] of text.names.entries()) {
    write(label, MARGIN, 1120 + nth * 66, { size: 28, weight: 500, ink: PALE, width: 330 })
    write(value, MARGIN + 350, 1120 + nth * 66, { size: 34, width: WIDTH - 2 * MARGIN - 350 })
  }
  write(text.product, MARGIN, HEIGHT - 64, { size: 30, weight: 600, ink: PALE })
}

type Look = { size: number; weight?: number; ink?: string; width?: number }
