import { Button } from '@mantine/core'
import { IconLifebuoy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { config } from '#web/lib/config.ts'
import { hostApp } from '#web/lib/navigation/host-app.ts'
import { session } from '#web/lib/session.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { AccountBackLink } from '#web/ui/page.tsx'
import classes from './contact.module.css'

/** Works without a session. */
export default function ContactScreen() {
  const { t } = useTranslation()
  const { supportEmail, supportForm } = config()
  const ways = (
    <>
      {supportEmail && (
        <LinkButton href={`mailto:${supportEmail}`} isMain>
          {t('handOff.write')}
        </LinkButton>
      )}
      {supportForm && <LinkButton href={supportForm}>{t('handOff.form')}</LinkButton>}
      {!hostApp.isNative() && (
        <Button component={Link} to="/" h={44} variant="subtle">
          {t('action.goHome')}
        </Button>
      )}
    </>
  )
  return (
    <>
      {session.isOpen() && !hostApp.isNative() && (
        <div className={classes.back}>
          <AccountBackLink />
        </div>
      )}
      <Notice isPage icon={<IconLifebuoy size={30} />} title={t('title.contactUs')} action={ways}>
        {supportEmail || supportForm ? t('handOff.contact') : t('handOff.noContact')}
        {supportEmail && <strong>{supportEmail}</strong>}
      </Notice>
    </>
  )
}
