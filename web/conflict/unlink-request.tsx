import { Button } from '@mantine/core'
import { IconMailCheck, IconRosetteDiscountCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router-dom'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import type { UnlinkRequest } from '#contracts/trackers/conflicts.ts'
import { clientPorts } from '#web/lib/api/api.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { conflictApi } from './conflict.queries.ts'
import { type Conflict, printedNumber } from './saved-conflict.ts'

/** Sends an unlink request and explains rejections. A locked tracker leads to the support page. */
export function useUnlinkRequest() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [result, setResult] = useState<UnlinkResult | null>(null)
  return {
    result,
    async submitRequest(send: () => Promise<UnlinkResult>) {
      try {
        setResult(await send())
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (error.code !== 'serial_locked' && readAttempts(error) !== 0) throw leaveIfRejected(error)
        await navigate('/conflicting-fail')
      }
    },
    failure: (error: ApiError) => {
      const { code, fields } = error
      const left = readAttempts(error)
      if (left !== undefined) return `${t('add.conflict.failed')} – ${t('add.conflict.attempts', { count: left })}`
      if (code === 'unknown_tracker') return t('add.conflict.unknown')
      if (code === 'request_pending') return t('add.conflict.pendingFor')
      if (code === 'reported_missing') return t('add.conflict.missing')
      return fields.serial_proof ? t('add.conflict.proofGone') : undefined
    },
  }
}

/** The remaining attempts in a rejection; other backends may use another name. */
export function readAttempts({ extras }: ApiError): number | undefined {
  const name = Object.keys(extras).find((each) => /^(remaining_?attempts|attempts_?(left|remaining)|remaining)$/i.test(each))
  const left = name === undefined ? Number.NaN : Number(extras[name] ?? Number.NaN)
  return Number.isInteger(left) && left >= 0 ? left : undefined
}

/** A 401 or 403 leads to the login page, except with a count of attempts. */
const leaveIfRejected = (error: ApiError) =>
  !error.isLeaving && readAttempts(error) === undefined && (error.status === 401 || error.status === 403)
    ? new ApiError(error.status, { ...error, isLeaving: clientPorts().onLeave(error.status === 401 ? 'unauthorized' : 'forbidden') })
    : error

type Proof = Pick<UnlinkRequest, 'purchase_date' | 'purchase_place' | 'order_reference' | 'serial_proof'>

/** Result of an unlink request and the address to which the decision is mailed. */
type UnlinkResult = { reference: string; status: 'pending' | 'accepted'; email: string }

/**
 * Sends an unlink request with its proof. Sends only one of the tracker's numbers, since both would count as an attempt to guess the S/N.
 */
export async function requestUnlink(
  { identifier, serial }: Conflict,
  request: NonNullable<Conflict['request']>,
  proof: Proof = {},
): Promise<UnlinkResult> {
  const number = identifier ? { identifier } : { serial }
  const response = await conflictApi.requestUnlink({ body: { ...number, ...request, ...proof } }, { staysOn401: true })
  return { ...response, status: pickListed(['accepted'], response.status, 'pending'), email: request.email }
}

export function UnlinkResultNotice({ known, result: { reference, status, email } }: { known: Conflict; result: UnlinkResult }) {
  const { t } = useTranslation()
  if (status === 'accepted') {
    return (
      <Notice
        role="status"
        icon={<IconRosetteDiscountCheck size={30} />}
        title={t('add.conflict.accepted')}
        action={
          <Button component={Link} to={`/trackers/add?identifier=${printedNumber(known)}`} size="md">
            {t('add.conflict.addNow')}
          </Button>
        }
      >
        {t('add.conflict.acceptedLead', { reference })}
      </Notice>
    )
  }
  return (
    <Notice
      role="status"
      icon={<IconMailCheck size={30} />}
      title={t('add.conflict.sent')}
      action={
        <Button component={Link} to="/trackers" variant="default">
          {t('trackers.heading')}
        </Button>
      }
    >
      {t('add.conflict.sentLead', { reference, email })}
    </Notice>
  )
}
