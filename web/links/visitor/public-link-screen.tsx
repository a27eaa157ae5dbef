import { IconLinkOff } from '@tabler/icons-react'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { links } from '#contracts/links.ts'
import { clientPorts, createClient } from '#web/lib/api/api.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { pollEvery } from '#web/lib/api/query.ts'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { PublicGroupView } from './public-group-view.tsx'
import classes from './public-link-screen.module.css'
import { PublicLinkView, type SharedView } from './public-link-view.tsx'

const linksApi = createClient(links, clientPorts)

/** The token is sent in a header if the backend has no call for links; no other endpoint is needed. */
function isToken(text: string | null): text is string {
  if (!text?.trim()) return false
  try {
    return new Headers({ authorization: text }).has('authorization')
  } catch {
    return false
  }
}

/** Statuses of a backend that has no call for links, or does not have this link. */
const NOT_FOUND = [400, 401, 403, 404, 405, 410, 501]

/** A response of our own server says that a link is invalid; other rejections may also mean that the backend has no such call. */
const isInvalid = ({ code, status }: ApiError) => status === 410 || links.read.errors.some((own) => own === code)

async function readLink(uuid: string, signal: AbortSignal): Promise<SharedView | null> {
  try {
    return { shared: await linksApi.read({ params: { uuid } }, { signal, staysOn401: true }), isListed: false }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (isInvalid(error)) return null
    if (!NOT_FOUND.includes(error.status) && error.code !== 'unreadable') throw error
    return readListed(uuid, signal)
  }
}

async function readListed(token: string, signal: AbortSignal): Promise<SharedView | null> {
  const { readTrackersOf } = await import('./trackers-of-token.ts')
  const shared = await readTrackersOf(token, signal).catch((error: unknown) => {
    if (error instanceof ApiError && (NOT_FOUND.includes(error.status) || error.code === 'unreadable')) return null
    throw error
  })
  return shared && { shared, isListed: true }
}

/** The data a link shares, reloaded every 30 seconds while the page is visible; null for a link that is not, or no longer, valid. */
export const publicLinkQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared', token],
    queryFn: ({ signal, client, queryKey }) =>
      client.getQueryData<SharedView>(queryKey)?.isListed ? readListed(token, signal) : readLink(token, signal),
    refetchInterval: ({ state }) => (state.error || state.data === null ? false : pollEvery(30_000)()),
  })

export default function PublicLinkScreen() {
  const token = useSearchParams()[0].get('token')
  return (
    <>
      <meta name="robots" content="noindex" />
      {isToken(token) ? <Linked token={token} /> : <InvalidLink />}
    </>
  )
}

function Linked({ token }: { token: string }) {
  const view = useSuspenseQuery(publicLinkQuery(token)).data
  if (!view) return <InvalidLink />
  return view.shared.others ? <PublicGroupView {...view} /> : <PublicLinkView {...view} />
}

/** Shows the same sentence for every invalid link, so that it reveals nothing about any of them. */
function InvalidLink() {
  const { t } = useTranslation()
  return (
    <div className={classes.invalid}>
      <Notice role="alert" icon={<IconLinkOff size={30} />} isPage title={t('shared.invalid')} />
      <p>{t('shared.askAgain')}</p>
      <Link to="/">{t('action.goHome')}</Link>
    </div>
  )
}
