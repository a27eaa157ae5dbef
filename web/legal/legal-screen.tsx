import { IconFileOff } from '@tabler/icons-react'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { createElement, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router-dom'
import { LEGAL_NAMES, type LegalName } from '#contracts/lib/legal-names.ts'
import { readLegal } from '#web/legal/legal-places.ts'
import { clientPorts } from '#web/lib/api/api.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Page } from '#web/ui/page.tsx'
import classes from './legal.module.css'

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

/** An element of a text. The server sends elements instead of HTML; the screen builds only those that it knows. */
type LegalBlock = { tag: string; children: (string | LegalBlock)[]; href?: unknown; start?: unknown }

/** Checked by hand, because the code of a schema that refers to itself would weigh on every page. */
function isBlock(value: unknown): value is LegalBlock {
  if (typeof value !== 'object' || value === null || !('tag' in value) || !('children' in value)) return false
  const { tag, children } = value
  return typeof tag === 'string' && Array.isArray(children) && children.every((child) => typeof child === 'string' || isBlock(child))
}

/** The user's language if there is a text in it, else English, else the first. */
const pickTextLanguage = (languages: readonly string[], wanted: string) =>
  [wanted, 'en', ...languages].find((language) => languages.includes(language))

/** A text in the best language; null when the operator has none. */
const legalTextQuery = (name: LegalName | undefined, wanted: string) => {
  const language = pickTextLanguage((name && readLegal()[name]?.languages) ?? [], wanted)
  return queryOptions({
    queryKey: ['legal', name ?? '', language ?? ''],
    queryFn: async ({ signal }) => {
      if (!language) return null
      const answer = await clientPorts().fetch(`/legal/texts/${name}.${language}.json`, { signal })
      if (answer.status === 404) return null
      const blocks: unknown = await answer.json()
      return Array.isArray(blocks) && blocks.every(isBlock) ? { language, blocks } : null
    },
  })
}
