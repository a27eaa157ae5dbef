import { IconDeviceMobile, IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DeviceKey } from '#contracts/device-keys.ts'
import { useNow } from '#web/lib/clock.ts'
import { useFormats } from '#web/lib/use-formats.ts'
import { calls } from './calls.ts'
import { keysQuery } from './keys-query.ts'
import classes from './phones.module.css'

/** One phone: when it last reported, and the way to disconnect it, which asks first. */
export function KeyRow({ of: { id, label, last_used_at }, device }: { of: DeviceKey; device: number }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const formats = useFormats()
  const now = useNow()
  const [isSure, setSure] = useState(false)
  const name = label || t('phones.unnamed')
  const revoke = useMutation({
    mutationFn: () => calls.remove({ params: { id: device, key: id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: keysQuery(device).queryKey }),
  })
  return (
    <li className={classes.key}>
      <IconDeviceMobile size={20} aria-hidden="true" />
      <span className={classes.what}>
        <b>{name}</b>
        <small role={revoke.isError ? 'status' : undefined}>
          {revoke.isError
            ? t('error.general')
            : last_used_at
              ? t('phones.used', { age: formats.age(new Date(last_used_at), now) })
              : t('phones.never')}
        </small>
      </span>
      <button
        type="button"
        className={classes.icon}
        aria-label={`${t('phones.revoke')}: ${name}`}
        data-sure={isSure || undefined}
        disabled={revoke.isPending}
        onClick={() => (isSure ? revoke.mutate() : setSure(true))}
        onBlur={() => setSure(false)}
      >
        {isSure ? t('phones.sure') : <IconTrash size={18} />}
      </button>
    </li>
  )
}
