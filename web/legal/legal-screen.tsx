import { IconFileOff } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createElement, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router-dom'
import { LEGAL_NAMES } from '#contracts/lib/legal-names.ts'
import { readLegal } from '#web/legal/legal-places.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Page } from '#web/ui/page.tsx'
import classes from './legal.module.css'
import { type LegalBlock, legalTextQuery } from './legal.queries.ts'

const TAGS = ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'strong', 'em', 's', 'a', 'br', 'hr', 'blockquote', 'code', 'pre']
const TABLE_TAGS = ['table', 'thead', 'tbody', 'tr', 'th', 'td']
const EMPTY_TAGS = ['br', 'hr']

/** Terms, privacy policy or imprint of the company that runs the portal; open to everybody. */
export default function LegalScreen() {
  const { t, i18n } = useTranslation()
  const { name: asked } = useParams()
  const name = LEGAL_NAMES.find((each) => each === asked)
  const text = useSuspenseQuery(legalTextQuery(name, i18n.language)).data
  const url = name && readLegal()[name]?.url
  const label = name ? t(`legal.${name}`) : t('legal.label')
  if (!text)
    return (
      <Notice isPage icon={<IconFileOff size={30} />} title={label} action={url && <LinkButton href={url}>{t('legal.open')}</LinkButton>}>
        {!url && t('legal.missing')}
      </Notice>
    )
  const { title, blocks } = splitTitle(text.blocks)
  return (
    <div lang={text.language}>
      <Page title={title ?? label} back={{ to: '/', label: t('action.goHome') }} isNarrow>
        <article className={classes.text}>{blocks.map(renderBlock)}</article>
      </Page>
    </div>
  )
}

/** A heading at the start of the text is the title of the page. */
function splitTitle(blocks: readonly LegalBlock[]) {
  const [first, ...others] = blocks
  return first?.tag === 'h1' ? { title: readText(first), blocks: others } : { title: undefined, blocks }
}

const readText = (block: LegalBlock): string =>
  block.children.map((child) => (typeof child === 'string' ? child : readText(child))).join('')

/** Text has no order that changes, so the position is a good key. */
function renderBlock(block: string | LegalBlock, key: number): ReactNode {
  if (typeof block === 'string') return block
  const { tag, children, href, start } = block
  const known = TAGS.includes(tag) || TABLE_TAGS.includes(tag) ? tag : 'span'
  if (EMPTY_TAGS.includes(known)) return createElement(known, { key })
  const address =
    known === 'a' && typeof href === 'string' && isSafe(href) ? { href, ...(/^https?:/i.test(href) && { rel: 'noreferrer' }) } : {}
  return createElement(known, { key, ...address, ...(known === 'ol' && typeof start === 'number' && { start }) }, children.map(renderBlock))
}

/** The server lets no scripts through; this does not rely on it. */
const isSafe = (href: string) => /^(https?:|mailto:|tel:|[/#])/i.test(href)
