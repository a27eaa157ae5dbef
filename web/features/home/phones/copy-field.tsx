import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './phones.module.css'

/** A value to type elsewhere, or to copy. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  return (
    <div className={classes.field}>
      <span className={classes.what}>
        <small role={isCopied ? 'status' : undefined}>{isCopied ? t('links.copied') : label}</small>
        <code>{value}</code>
      </span>
      <button
        type="button"
        className={classes.icon}
        aria-label={`${t('phones.copy')}: ${label}`}
        onClick={() => void navigator.clipboard?.writeText(value).then(() => setCopied(true))}
      >
        {isCopied ? <IconCheck size={18} /> : <IconCopy size={18} />}
      </button>
    </div>
  )
}
