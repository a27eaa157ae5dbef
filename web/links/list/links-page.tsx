import { Button } from '@mantine/core'
import { IconLinkOff, IconPlus, IconX } from '@tabler/icons-react'
import { useQuery, useSuspenseQueries } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { parseId } from '#contracts/lib/common.ts'
import { allPublicLinksQuery } from '#web/links/links.queries.ts'
import { useHasRight } from '#web/signed-in/use-has-right.ts'
import { sessionQuery } from '#web/signed-in/user.queries.ts'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Page } from '#web/ui/page.tsx'
import { findTrackerName, groupByTracker, LinkGroup } from './link-group.tsx'
import classes from './links-page.module.css'
import { NewLinkDialog } from './new-link-dialog.tsx'

export function LinksPage({ title, isEmbedded = false }: { title: string; isEmbedded?: boolean }) {
  const { t } = useTranslation()
  const [query, setQuery] = useSearchParams()
  const only = query.get('id') ? parseId(query.get('id')) : null
  const mayChange = useHasRight('changeTrackers')
  const [isAdding, setAdding] = useState(false)
  const all = useQuery({ ...allPublicLinksQuery(), enabled: false }).data ?? []
  const groups = groupByTracker(all, only)
  const onlyName = only === null ? undefined : findTrackerName(all, only)
  const count = groups.reduce((sum, { links }) => sum + links.length, 0)
  const add = mayChange && (
    <Button h={44} leftSection={<IconPlus size={18} />} onClick={() => setAdding(true)}>
      {t('publicLinks.new')}
    </Button>
  )
  return (
    <Page title={title} isInAccount={!isEmbedded} lead={t('links.lead')} actions={count > 0 && add} isNarrow {...(count > 0 && { count })}>
      {only !== null && (
        <button type="button" className={classes.filter} onClick={() => setQuery({})}>
          {onlyName === undefined ? t('links.yours') : t('publicLinks.only', { name: onlyName })}
          <span>
            <IconX size={16} aria-hidden="true" />
            {t('trackers.reset')}
          </span>
        </button>
      )}
      <Part skeleton={<SkeletonRows count={4} />}>
        <LinkGroups only={only} isEmbedded={isEmbedded} add={add} />
      </Part>
      {isAdding && <NewLinkDialog chosen={only} all={all} onClose={() => setAdding(false)} />}
    </Page>
  )
}

function LinkGroups({ only, isEmbedded, add }: { only: number | null; isEmbedded: boolean; add: ReactNode }) {
  const { t } = useTranslation()
  const [{ data: links }] = useSuspenseQueries({ queries: [allPublicLinksQuery(), sessionQuery()] })
  const groups = groupByTracker(links, only)
  const mayChange = useHasRight('changeTrackers')
  if (groups.length === 0)
    return (
      <Empty icon={<IconLinkOff size={30} />} title={t('publicLinks.none')} action={add}>
        {t('publicLinks.noneLead')}
      </Empty>
    )
  return groups.map((group) => <LinkGroup key={group.device ?? 'several'} group={group} isEmbedded={isEmbedded} mayChange={mayChange} />)
}
