import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '#web/lib/copy-text.ts'
import classes from './secret.module.css'

/** A secret with a button that copies it, for a link, a key, or an app on the same phone. */
export function Secret({ text, copied = text, copy }: { text: string; copied?: string; copy: string }) {
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  return (
    <div className={classes.secret}>
      <code>{text}</code>
      <Button variant="default" h={44} onClick={() => void copyText(copied).then(setCopied)}>
        {copy}
      </Button>
      <span role="status">{isCopied && t('links.copied')}</span>
    </div>
  )
}
