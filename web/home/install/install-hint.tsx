import { Button } from '@mantine/core'
import { IconDeviceMobilePlus, IconShare2, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { config } from '#web/lib/config.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import classes from './install-hint.module.css'
import type { InstallOffer } from './install-offer.ts'

/** Placeholder for the icon in the sentence; part of no language. */
const ICON = '\uFFFC'

export default function InstallHint({ offer }: { offer: NonNullable<InstallOffer> }) {
  const { t } = useTranslation()
  const [beforeIcon, afterIcon] = t('install.safari', { icon: ICON }).split(ICON)
  return (
    <section className={classes.hint} aria-label={t('install.title')}>
      <IconDeviceMobilePlus size={22} aria-hidden="true" />
      <div>
        <p>{t('install.lead', { product: config().productName })}</p>
        {offer.kind === 'button' ? (
          <Button h={44} onClick={offer.install}>
            {t('install.title')}
          </Button>
        ) : (
          <p>
            {beforeIcon}
            <IconShare2 size={18} role="img" aria-label={t('tracker.share')} />
            {afterIcon}
          </p>
        )}
      </div>
      <IconButton label={t('install.dismiss')} Icon={IconX} onClick={offer.dismiss} />
    </section>
  )
}
