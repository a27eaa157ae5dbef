import { Button } from '@mantine/core'
import { IconLinkOff, IconPlus, IconX } from '@tabler/icons-react'
import { useQuery, useSuspenseQueries, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { parseId } from '#contracts/lib/common.ts'
import type { PublicLink } from '#contracts/links.ts'
import { MAX_PUBLIC_LINKS } from '#contracts/rules/link.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { DeleteExpired } from '#web/links/delete-link.tsx'
import { allPublicLinksQuery, type OwnedLink, showsTracker } from '#web/links/links.queries.ts'
import { linkEnd, MadeLink } from '#web/links/made-link.tsx'
import { NewLinkForm } from '#web/links/new-link-form.tsx'
import { SeveralTrackers } from '#web/links/several/several-trackers.tsx'
import { sessionQuery, useHasRight } from '#web/signed-in/user.queries.ts'
import { devicesQuery } from '#web/trackers/trackers.queries.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { Split, useChosen, useIsSplit } from '#web/ui/lists/split.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { findTrackerName, groupByTracker, LinkDetails, LinkGroup } from './link-group.tsx'
import classes from './links-page.module.css'

export function LinksPage({ title, isEmbedded = false }: { title: string; isEmbedded?: boolean }) {
  const { t } = useTranslation()
  const [query, setQuery] = useSearchParams()
  const only = query.get('id') ? parseId(query.get('id')) : null
  const mayChange = useHasRight('changeTrackers')
  const [isAdding, setAdding] = useState(false)
  const all = useQuery({ ...allPublicLinksQuery(only), enabled: false }).data ?? []
  const groups = groupByTracker(all, only)
  const onlyName = only === null ? undefined : findTrackerName(all, only)
  const count = groups.reduce((sum, { links }) => sum + links.length, 0)
  const isSplit = useIsSplit() && mayChange && count > 0
  const add = mayChange && (
    <Button h={44} leftSection={<IconPlus size={18} />} onClick={() => setAdding(true)}>
      {t('publicLinks.new')}
    </Button>
  )
  return (
    <Page
      title={title}
      isInAccount={!isEmbedded}
      lead={t('links.lead')}
      actions={count > 0 && add}
      isNarrow={!isSplit}
      {...(count > 0 && { count })}
    >
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
  const [{ data: links, isFetching }] = useSuspenseQueries({ queries: [allPublicLinksQuery(only), sessionQuery()] })
  const isReading = !useFeature('accountLinks') && isFetching
  const groups = groupByTracker(links, only)
  const mayChange = useHasRight('changeTrackers')
  const { chosen, to } = useChosen(mayChange ? groups.flatMap((group) => group.links) : [], 'uuid')
  if (groups.length === 0 && isReading) return <SkeletonRows count={4} />
  if (groups.length === 0)
    return (
      <Empty icon={<IconLinkOff size={30} />} title={t('publicLinks.none')} action={add}>
        {t('publicLinks.noneLead')}
      </Empty>
    )
  return (
    <Split details={chosen && <LinkDetails key={chosen.uuid} link={chosen} />}>
      {groups.map((group) => (
        <LinkGroup
          key={group.device ?? 'several'}
          group={group}
          chosen={chosen}
          to={chosen && to}
          isEmbedded={isEmbedded}
          mayChange={mayChange}
        />
      ))}
      {isReading && <SkeletonRows count={1} />}
    </Split>
  )
}

type Props = { chosen: number | null; all: readonly OwnedLink[]; onClose: () => void }

function NewLinkDialog({ chosen, all, onClose }: Props) {
  return (
    <Dialog title={useTranslation().t('publicLinks.new')} onClose={onClose}>
      <Part skeleton={<SkeletonRows count={2} />}>
        <TrackerChoice chosen={chosen} all={all} />
      </Part>
    </Dialog>
  )
}

function TrackerChoice({ chosen, all }: Omit<Props, 'onClose'>) {
  const { t } = useTranslation()
  const devices = useSuspenseQuery(devicesQuery()).data
  const [device, setDevice] = useState((devices.find(({ id }) => id === chosen) ?? devices[0])?.id)
  const [made, setMade] = useState<PublicLink | null>(null)
  const [isSeveral, setSeveral] = useState(false)
  const hasGroups = useFeature('groupLinks')
  const now = useNow()
  const own = device === undefined ? [] : all.filter((link) => showsTracker(link, device))
  const isFull = own.length >= MAX_PUBLIC_LINKS
  const expired = own.filter((link) => linkEnd(link, now).is === 'expired')
  if (device === undefined) return <p>{t('trackers.none')}</p>
  if (made) return <MadeLink link={made} />
  if (isSeveral) return <SeveralTrackers />
  return (
    <>
      <SelectField
        label={t('title.tracker')}
        value={String(device)}
        onChange={({ target }) => setDevice(parseId(target.value))}
        data={devices.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      {hasGroups && devices.length > 1 && (
        <Button variant="subtle" h={44} className={classes.several} onClick={() => setSeveral(true)}>
          {t('publicLinks.several')}
        </Button>
      )}
      {isFull && expired.length > 0 && <DeleteExpired links={expired} />}
      <NewLinkForm devices={[device]} isFull={isFull} onMade={setMade} />
    </>
  )
}
