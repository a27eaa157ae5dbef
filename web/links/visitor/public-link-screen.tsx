import { IconLinkOff } from '@tabler/icons-react'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { links } from '#contracts/links.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { pollEvery } from '#web/lib/api/query.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { PublicGroupView } from './public-group-view.tsx'
import { PublicLinkView } from './public-link-view.tsx'

const linksApi = createClient(links, clientPorts)

const isUuid = (text: string | null): text is string => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text ?? '')

const nullIfGone = (error: unknown) => {
  if (error instanceof ApiError && [400, 403, 404, 410].includes(error.status)) return null
  throw error
}

/** The data a link shares, reloaded every 30 seconds while the page is visible; null for a link that is not, or no longer, valid. */
export const publicLinkQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['shared', uuid],
    queryFn: ({ signal }) => linksApi.read({ params: { uuid } }, { signal, staysOn401: true }).catch(nullIfGone),
    refetchInterval: ({ state }) => (state.error || state.data === null ? false : pollEvery(30_000)()),
  })

export default function PublicLinkScreen() {
  const token = useSearchParams()[0].get('token')
  return (
    <>
      <meta name="robots" content="noindex" />
      {isUuid(token) ? <Linked uuid={token} /> : <InvalidLink />}
    </>
  )
}

function Linked({ uuid }: { uuid: string }) {
  const shared = useSuspenseQuery(publicLinkQuery(uuid)).data
  if (!shared) return <InvalidLink />
  return shared.others ? <PublicGroupView shared={shared} /> : <PublicLinkView shared={shared} />
}

/** Shows the same sentence for every invalid link, so that it reveals nothing about any of them. */
function InvalidLink() {
  const { t } = useTranslation()
  return <Notice role="alert" isPage icon={<IconLinkOff size={30} />} title={t('shared.invalid')} />
}
