import { queryOptions } from '@tanstack/react-query'
import type { LegalName } from '#contracts/lib/legal-names.ts'
import { readLegal } from '#web/legal/legal-places.ts'
import { clientPorts } from '#web/lib/api/api.ts'

/** An element of a text. The server sends elements instead of HTML; the screen builds only those that it knows. */
export type LegalBlock = { tag: string; children: (string | LegalBlock)[]; href?: unknown; start?: unknown }

/** Checked by hand, because a schema that refers to itself would weigh on every page. */
function isBlock(value: unknown): value is LegalBlock {
  if (typeof value !== 'object' || value === null || !('tag' in value) || !('children' in value)) return false
  const { tag, children } = value
  return typeof tag === 'string' && Array.isArray(children) && children.every((child) => typeof child === 'string' || isBlock(child))
}

/** The user's language if there is a text in it, else English, else the first. */
const pickTextLanguage = (languages: readonly string[], wanted: string) =>
  [wanted, 'en', ...languages].find((language) => languages.includes(language))

/** A text in the best language; null when the operator has none. */
export const legalTextQuery = (name: LegalName | undefined, wanted: string) => {
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
