import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { PublicLink } from '#contracts/links.ts'
import { ignoreGone } from '#web/lib/api/api-error.ts'
import { showToast } from '#web/lib/toasts.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { linkKeys, linksApi, refreshLinks } from './links.queries.ts'

/** Deletes a link, here and in all lists that show it. */
function useDeleteLink() {
  const queries = useQueryClient()
  return async ({ uuid }: PublicLink) => {
    await linksApi.remove({ params: { uuid } }).catch(ignoreGone)
    const lists = queries.getQueriesData<PublicLink[]>({ queryKey: linkKeys.all })
    const stale = lists.flatMap(([[, of], links]) => (links?.some((link) => link.uuid === uuid) ? of : []))
    queries.setQueriesData<PublicLink[]>({ queryKey: linkKeys.all }, (links) => links?.filter((link) => link.uuid !== uuid))
    await refreshLinks(queries, stale)
  }
}

/** Expired links count until they are deleted. */
export function DeleteExpired({ links }: { links: readonly PublicLink[] }) {
  const { t } = useTranslation()
  const deleteLink = useDeleteLink()
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      for (const link of links) await deleteLink(link)
    },
    onError: () => showToast(t('error.general')),
  })
  return (
    <Button h={44} variant="default" leftSection={<IconTrash size={18} />} loading={isPending} onClick={() => mutate()}>
      {t('links.deleteExpired')}
    </Button>
  )
}

export function DeleteLinkDialog({ link, onClose }: { link: PublicLink; onClose: () => void }) {
  const { t } = useTranslation()
  const deleteLink = useDeleteLink()
  const { label, devices } = link
  const remove = async () => {
    await deleteLink(link)
    showToast(t('publicLinks.deleted'))
  }
  return (
    <ConfirmDialog
      title={t('publicLinks.deleteTitle', { name: label })}
      action={t('action.delete')}
      isDanger
      onConfirm={remove}
      onClose={onClose}
    >
      {devices ? t('publicLinks.deleteLeadSeveral', { names: devices.map(({ name }) => name).join(', ') }) : t('publicLinks.deleteLead')}
    </ConfirmDialog>
  )
}
