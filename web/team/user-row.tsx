import { Button } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { personName } from '#contracts/rules/person-name.ts'
import type { TeamUser } from '#contracts/team.ts'
import { Badge } from '#web/ui/badge.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { EditUserDialog } from './edit-user-dialog.tsx'
import { RemoveUser } from './remove-user.tsx'
import classes from './team.module.css'
import { useResend } from './use-resend.ts'
import { roleWords, trackersWords } from './user-words.ts'

export function UserRow({ user, isOwn }: { user: TeamUser; isOwn: boolean }) {
  const { t, i18n } = useTranslation()
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null)
  const { resend, isBusy, problem } = useResend(user)
  const name = personName(user.first_name, user.last_name, i18n.language)
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
        <IconButton label={t('action.edit')} of={name} Icon={IconPencil} onClick={() => setOpen('edit')} />
        {!isOwn && <IconButton label={t('team.remove')} of={name} Icon={IconTrash} onClick={() => setOpen('remove')} />}
      </span>
      <FormAlert>{problem}</FormAlert>
      {open === 'edit' && <EditUserDialog user={user} onClose={close} />}
      {open === 'remove' && <RemoveUser user={user} name={name} onClose={close} />}
    </li>
  )
}
