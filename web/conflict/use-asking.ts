import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { ApiError } from '#web/lib/api/api-error.ts'
import type { Asked } from './ask-unlink.ts'

/** Sends an unlink request and explains rejections. A locked tracker leads to the support page. */
export function useAsking() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<Asked | null>(null)
  return {
    asked,
    async ask(send: () => Promise<Asked>) {
      try {
        setAsked(await send())
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'serial_locked') throw error
        await navigate('/conflicting-fail')
      }
    },
    failure: ({ code, fields }: ApiError) => {
      if (code === 'unknown_tracker') return t('add.conflict.unknown')
      if (code === 'request_pending') return t('add.conflict.pendingFor')
      return fields.serial_proof ? t('add.conflict.proofGone') : undefined
    },
  }
}
