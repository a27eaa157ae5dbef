import { IconLinkOff } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { PublicGroupView } from './public-group-view.tsx'
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
  const shared = useSuspenseQuery(publicLinkQuery(uuid)).data
  if (!shared) return <InvalidLink />
  return shared.others ? <PublicGroupView shared={shared} /> : <PublicLinkView shared={shared} />
}

/** Shows the same sentence for every invalid link, so that it reveals nothing about any of them. */
function InvalidLink() {
  const { t } = useTranslation()
  return <Notice role="alert" isPage icon={<IconLinkOff size={30} />} title={t('shared.invalid')} />
}
