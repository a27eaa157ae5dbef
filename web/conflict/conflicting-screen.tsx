import { IconKeyboard, IconLifebuoy, IconLinkOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFeature } from '#web/lib/other-backends/features.ts'
import classes from './conflict.module.css'
import { ConflictPage, OptionLink } from './conflict-page.tsx'
import { printedNumber } from './saved-conflict.ts'

export default function ConflictingScreen() {
  const { t } = useTranslation()
  const hasRequest = useFeature('conflicts')
  return (
    <ConflictPage title={t('title.conflicting')} back={{ to: '/trackers/add', label: t('title.trackerAdd') }}>
      {(known) => (
        <>
          <p className={classes.lead}>
            <strong>{t('add.conflict.onAnother', { number: printedNumber(known) })}</strong>
            {t('add.conflict.explain')}
          </p>
          <nav className={classes.ways} aria-label={t('title.conflicting')}>
            {hasRequest && (
              <OptionLink
                to="/conflicting-unlink"
                icon={<IconLinkOff aria-hidden="true" />}
                label={t('add.conflict.unlink')}
                hint={t('add.conflict.unlinkHint')}
              />
            )}
            <OptionLink
              to="/contact_us"
              icon={<IconLifebuoy aria-hidden="true" />}
              label={t('add.conflict.support')}
              hint={t('add.conflict.supportHint')}
            />
            <OptionLink
              to="/trackers/add"
              icon={<IconKeyboard aria-hidden="true" />}
              label={t('add.conflict.other')}
              hint={t('add.conflict.otherHint')}
            />
          </nav>
        </>
      )}
    </ConflictPage>
  )
}
