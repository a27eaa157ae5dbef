import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parseId } from '#contracts/lib/common.ts'
import { MAX_PUBLIC_LINKS } from '#contracts/lib/constants.ts'
import type { PublicLink } from '#contracts/links.ts'
import { useFeature } from '#web/lib/api/features.ts'
import { type OwnedLink, showsTracker } from '#web/links/links.queries.ts'
import { MadeLink } from '#web/links/made-link.tsx'
import { NewLinkForm } from '#web/links/new-link-form.tsx'
import { SeveralTrackers } from '#web/links/several/several-trackers.tsx'
import { devicesQuery } from '#web/trackers/trackers.queries.ts'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import classes from './new-link-dialog.module.css'

type Props = { chosen: number | null; all: readonly OwnedLink[]; onClose: () => void }

export function NewLinkDialog({ chosen, all, onClose }: Props) {
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
  const isFull = device !== undefined && all.filter((link) => showsTracker(link, device)).length >= MAX_PUBLIC_LINKS
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
      <NewLinkForm devices={[device]} isFull={isFull} onMade={setMade} />
    </>
  )
}
