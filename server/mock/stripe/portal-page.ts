import type Stripe from 'stripe'
import { escapeHtml, page } from './markup.ts'
import type { Words } from './words.ts'

/** The billing portal: it says what it stands for, and leads back. */
export const portalPage = (session: Stripe.BillingPortal.Session | undefined, words: Words, lang: string) =>
  page({
    lang,
    title: session ? words.portalTitle : words.closed,
    banner: words.banner,
    main: session?.return_url
      ? `<p>${escapeHtml(words.portalText)}</p><a class="back" href="${escapeHtml(session.return_url)}">${escapeHtml(words.back)}</a>`
      : '',
  })
