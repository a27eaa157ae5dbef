import { Button } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TeamUser } from '#contracts/team.ts'
import { Badge } from '#web/ui/badge.tsx'
import { FormAlert } from '#web/ui/form-alert.tsx'
import { EditUserDialog } from './edit-user-dialog.tsx'
import { RemoveUser } from './remove-user.tsx'
import classes from './team.module.css'
import { useResend } from './use-resend.ts'
import { nameOf, roleWords, trackersWords } from './user-words.ts'

/** One user: who, what they are and see, whether they have come; and what can be done. */
export function UserRow({ user, isOwn }: { user: TeamUser; isOwn: boolean }) {
  const { t, i18n } = useTranslation()
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null)
  const { resend, isBusy, problem } = useResend(user)
  const name = nameOf(user, i18n.language)
  const close = () => setOpen(null)
  return (
    <li className={classes.user}>
      <span className={classes.who}>
        <strong>{name}</strong>
        <small>{user.email}</small>
        <small>
          {roleWords(t, user)} · {trackersWords(t, user)}
        </small>
        <Badge tone={user.status === 'active' ? 'good' : 'warn'}>{t(`team.status.${user.status}`)}</Badge>
      </span>
      <span className={classes.buttons}>
        {user.status === 'invited' && (
          <Button variant="default" h={44} loading={isBusy} aria-label={`${t('team.resend')}: ${name}`} onClick={resend}>
            {t('team.resend')}
          </Button>
        )}
        <button type="button" className={classes.icon} aria-label={`${t('action.edit')}: ${name}`} onClick={() => setOpen('edit')}>
          <IconPencil size={20} aria-hidden="true" />
        </button>
        {!isOwn && (
          <button type="button" className={classes.icon} aria-label={`${t('team.remove')}: ${name}`} onClick={() => setOpen('remove')}>
            <IconTrash size={20} aria-hidden="true" />
          </button>
        )}
      </span>
      <FormAlert>{problem}</FormAlert>
      {open === 'edit' && <EditUserDialog user={user} onClose={close} />}
      {open === 'remove' && <RemoveUser user={user} name={name} onClose={close} />}
    </li>
  )
}
