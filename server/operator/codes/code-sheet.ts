import { renderSVG } from 'uqr'
import type { Language } from '#contracts/lib/languages.ts'
import { escapeHtml } from '#server/lib/escape-html.ts'
import { createTranslate } from '#server/mail/mail-translate.ts'
import type { World } from '#server/ports/world.ts'
import type { BatchRow } from './codes.store.ts'

type Sheet = { batch: Pick<BatchRow, 'name' | 'months' | 'extra' | 'endsAt'>; codes: readonly string[]; language: Language }

/** Cards of a third of the width of a page, which keep whole on paper. */
const STYLE = `
@page { margin: 10mm }
body { margin: 0; font: 10pt/1.35 system-ui, sans-serif; color: #000; background: #fff }
main { display: grid; grid-template-columns: repeat(3, 1fr) }
article { display: grid; grid-template-columns: 26mm 1fr; gap: 3mm; align-items: center; padding: 4mm; border: 1px dashed #999; break-inside: avoid }
svg { width: 26mm; height: 26mm }
b { display: block; font-size: 9pt }
code { display: block; margin: 1mm 0; font: 700 13pt/1.2 ui-monospace, monospace; white-space: nowrap }
small { font-size: 8pt }`

/** A page of HTML to print, without scripts: a card for each code, whose QR code is the address of the page that links it. */
export function drawSheet({ origin, productName }: Pick<World, 'origin' | 'productName'>, { batch, codes, language }: Sheet) {
  const t = createTranslate(language)
  const words = escapeHtml(t('subscription_code.covers', { count: batch.months + batch.extra }))
  // The last instant at which the codes are accepted.
  const last = batch.endsAt && new Date(batch.endsAt.getTime() - 1)
  const end = last ? `<br><small>≤ ${new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(last)}</small>` : ''
  const card = (code: string) => {
    const link = `${origin}/link_subscription?code=${code}`
    const text = `<b>${escapeHtml(productName)}</b><code>${code.slice(0, 4)} ${code.slice(4)}</code><small>${words}</small>${end}`
    return `<article>${renderSVG(link, { ecc: 'M', border: 1 })}<div>${text}</div></article>`
  }
  const title = escapeHtml(`${productName}: ${batch.name}`)
  const head = `<meta charset="utf-8"><title>${title}</title><style>${STYLE}</style>`
  return `<!doctype html><html lang="${language}">${head}<main>${codes.map(card).join('\n')}</main></html>\n`
}
