import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { pollEvery } from '#web/lib/api/query.ts'
import { sessionQuery, userKeys } from '#web/signed-in/user.queries.ts'
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx'
import classes from './unread-badge.module.css'

/** Pages without the live stream learn of new alerts this often. */
const POLL_MS = 60_000
const CHANNEL = 'unread-alerts'
const MAX_SHOWN = 99

/** The number of fired alerts that the user has not seen. A change in one tab is seen in the others. */
export default function UnreadBadge() {
  const { t } = useTranslation()
  const count = useQuery({ ...sessionQuery(), refetchInterval: pollEvery(POLL_MS) }).data?.unread_alerts ?? 0
  useOtherTabs(count)
  if (count === 0) return null
  return (
    <span className={classes.badge}>
      <span aria-hidden="true">{count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}</span>
      <VisuallyHidden>{t('nav.unreadAlerts', { n: count })}</VisuallyHidden>
    </span>
  )
}

function useOtherTabs(count: number) {
  const queries = useQueryClient()
  const channel = useRef<BroadcastChannel>(null)
  const told = useRef(count)
  useEffect(() => {
    if (typeof BroadcastChannel === 'undefined') return
    const opened = new BroadcastChannel(CHANNEL)
    channel.current = opened
    opened.onmessage = () => void queries.invalidateQueries({ queryKey: userKeys.session })
    return () => opened.close()
  }, [queries])
  useEffect(() => {
    if (told.current === count) return
    if (count > told.current) void queries.invalidateQueries({ queryKey: ['firings'] })
    told.current = count
    channel.current?.postMessage(count)
  }, [queries, count])
}
