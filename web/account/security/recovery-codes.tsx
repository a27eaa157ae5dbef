import { Button } from '@mantine/core'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '#web/account/account.module.css'
import { copyText } from '#web/lib/copy-text.ts'
import codeClasses from './recovery-codes.module.css'

/** New recovery codes, which are shown only once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  const title = useId()
  const region = useRef<HTMLElement>(null)
  const text = codes.join('\n')
  useEffect(() => region.current?.focus(), [])
  return (
    <section ref={region} tabIndex={-1} className={codeClasses.codes} aria-labelledby={title}>
      <h3 id={title}>{t('account.factor.codesTitle')}</h3>
      <p className={classes.text}>{t('account.factor.codesLead')}</p>
      <ul>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={classes.links}>
        <Button h={44} variant="default" onClick={() => void copyText(text).then(setCopied)}>
          {t('account.factor.copy')}
        </Button>
        <Button
          h={44}
          variant="default"
          component="a"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="recovery-codes.txt"
        >
          {t('account.factor.download')}
        </Button>
        <Button h={44} onClick={onDone}>
          {t('account.factor.done')}
        </Button>
        <span role="status">{isCopied && t('links.copied')}</span>
      </div>
    </section>
  )
}
