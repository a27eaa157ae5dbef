import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate } from 'react-router-dom'
import { ApiError } from '#web/lib/api/api-error.ts'
import { Failure } from '#web/ui/failure.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { AskIdentifier } from './ask-identifier.tsx'
import { attemptsQuery } from './conflict.queries.ts'
import { ConflictPage } from './conflict-page.tsx'
import { type Conflict, conflict } from './saved-conflict.ts'
import { SerialForm } from './serial-form.tsx'

export default function SerialScreen() {
  const { t } = useTranslation()
  return (
    <ConflictPage title={t('title.conflictingSerial')} back={{ to: '/conflicting-security', label: t('title.conflictingSecurity') }}>
      {(known) => (known.request ? <Check found={known} request={known.request} /> : <Navigate to="/conflicting-unlink" replace />)}
    </ConflictPage>
  )
}

type Request = NonNullable<Conflict['request']>

/** Attempts are counted by ID, so a tracker entered by its S/N is asked for its ID. */
function Check({ found, request }: { found: Conflict; request: Request }) {
  const [known, setKnown] = useState(found)
  const learn = (identifier: string) => {
    const next = { ...known, identifier }
    conflict.keep(next)
    setKnown(next)
  }
  if (!known.identifier) return <AskIdentifier onKnown={learn} />
  return <Attempts known={known} identifier={known.identifier} request={request} />
}

function Attempts(props: { known: Conflict; identifier: string; request: Request }) {
  const { t } = useTranslation()
  const attempts = useQuery(attemptsQuery(props.identifier))
  if (attempts.data?.locked) return <Navigate to="/conflicting-fail" replace />
  if (attempts.data) return <SerialForm {...props} remaining={attempts.data.remaining_attempts} />
  if (!attempts.error) return <SkeletonRows count={2} />
  if (!(attempts.error instanceof ApiError)) throw attempts.error
  if (attempts.error.isLeaving) return null
  if (attempts.error.code === 'unknown_tracker') return <FormAlert>{t('add.conflict.unknown')}</FormAlert>
  return <Failure retry={() => void attempts.refetch()} />
}
