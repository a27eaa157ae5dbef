import { IconLinkOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { ApiError } from '#web/lib/api/api-error.ts'
import { Failure } from '#web/ui/feedback/failure.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { isUuid, publicLinkQuery } from './public-link.queries.ts'
import { PublicLinkView } from './public-link-view.tsx'

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
  const { data, error, refetch } = useQuery(publicLinkQuery(uuid))
  if (isGone(error)) return <InvalidLink />
  if (data) return <PublicLinkView shared={data} />
  if (!error) return <SkeletonRows count={2} />
  return error instanceof ApiError && error.isLeaving ? null : <Failure retry={() => void refetch()} />
}

const isGone = (error: Error | null) => error instanceof ApiError && [400, 403, 404, 410].includes(error.status)

/** Shows the same sentence for every invalid link, so that it reveals nothing about any of them. */
function InvalidLink() {
  const { t } = useTranslation()
  return <Notice role="alert" isPage icon={<IconLinkOff size={30} />} title={t('shared.invalid')} />
}
