import { Button } from '@mantine/core'
import { IconDownload, IconLifebuoy } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Device } from '#contracts/trackers/devices.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { saveFile } from '#web/lib/api/download.ts'
import { useFeature } from '#web/lib/api/features.ts'
import { config } from '#web/lib/config.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Section } from './section.tsx'
import classes from './theft-file.module.css'
import { theftApi } from './theft-file.queries.ts'

/** Support contact and the police form; a failed download saves no file. */
export function AssistanceSection({ device: { id } }: { device: Device }) {
  const { t } = useTranslation()
  const { supportEmail } = config()
  const hasForm = useFeature('theft')
  const download = useMutation({
    mutationFn: async () => saveFile(await theftApi.form({ params: { id } }), `theft_form_${id}.pdf`, 'application/pdf'),
  })
  const isShown = download.error && !(download.error instanceof ApiError && download.error.isLeaving)
  return (
    <Section icon={<IconLifebuoy size={20} />} title={t('theft.assistance')}>
      <p>{t('theft.help')}</p>
      <FormAlert>{isShown ? t('theft.formFailed') : null}</FormAlert>
      <div className={classes.buttons}>
        {hasForm && (
          <Button h={44} leftSection={<IconDownload size={18} />} loading={download.isPending} onClick={() => download.mutate()}>
            {t('theft.form')}
          </Button>
        )}
        {supportEmail && <LinkButton href={`mailto:${supportEmail}`}>{t('title.contactUs')}</LinkButton>}
      </div>
    </Section>
  )
}
