import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NewDeviceKey } from '#contracts/trackers/device-keys.ts'
import { clientPorts } from '#web/lib/api/api.ts'
import { copyText } from '#web/lib/copy-text.ts'
import { Rows } from '#web/ui/lists/row.tsx'
import { buildHomeAssistantRecipe, buildUrlTemplates } from './app-setup.ts'
import { CopyField } from './copy-field.tsx'
import classes from './phones.module.css'

const HOME_ASSISTANT = 'Home Assistant'

/** URLs for apps that let their user write one, and the recipe for Home Assistant. */
export function OtherApp({ made }: { made: NewDeviceKey }) {
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  const where = { base: clientPorts().base, origin: location.origin }
  const recipe = buildHomeAssistantRecipe(made, where)
  return (
    <>
      <p>{t('phones.step.pasteUrl')}</p>
      <Rows label={t('phones.other')}>
        {buildUrlTemplates(made, where).map(([app, url]) => (
          <CopyField key={app} label={app === 'plain' ? t('phones.plain') : app} value={url} />
        ))}
      </Rows>
      <section className={classes.byHand}>
        <h3>{HOME_ASSISTANT}</h3>
        <p>{t('phones.recipe')}</p>
        <pre className={classes.recipe}>{recipe}</pre>
        <Button
          variant="default"
          h={44}
          aria-label={`${t('phones.copy')}: ${HOME_ASSISTANT}`}
          onClick={() => void copyText(recipe).then(setCopied)}
        >
          {isCopied ? <span role="status">{t('links.copied')}</span> : t('phones.copy')}
        </Button>
      </section>
    </>
  )
}
