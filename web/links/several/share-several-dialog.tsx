import { useTranslation } from 'react-i18next'
import { Part } from '#web/ui/feedback/part.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { SeveralTrackers } from './several-trackers.tsx'

type Props = { first?: readonly number[]; name?: string | undefined; onClose: () => void }

/** Needs the locale part `trackers`. */
export default function ShareSeveralDialog({ first, name, onClose }: Props) {
  const { t } = useTranslation()
  const title = name === undefined ? t('publicLinks.several') : t('links.heading', { name })
  return (
    <Dialog title={title} lead={t('publicLinks.leadSeveral')} onClose={onClose}>
      <Part skeleton={<SkeletonRows count={3} />}>
        <SeveralTrackers {...(first && { first })} name={name} />
      </Part>
    </Dialog>
  )
}
