import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '#web/lib/copy-text.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Row } from '#web/ui/lists/row.tsx'

export function CopyField({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  return (
    <Row name={<code>{value}</code>} hint={isCopied ? <span role="status">{t('links.copied')}</span> : label}>
      <IconButton
        label={t('phones.copy')}
        of={label}
        Icon={isCopied ? IconCheck : IconCopy}
        onClick={() => void copyText(value).then(setCopied)}
      />
    </Row>
  )
}
