import { Button } from '@mantine/core'
import { IconListCheck, IconPlus, IconShare2, IconTags } from '@tabler/icons-react'
import { useQueryClient, useSuspenseQueries, useSuspenseQuery } from '@tanstack/react-query'
import { Fragment, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router-dom'
import * as z from 'zod/mini'
import type { Tag } from '#contracts/tags.ts'
import { ignoreGone } from '#web/lib/api/api-error.ts'
import { useFeature } from '#web/lib/other-backends/features.ts'
import { showToast } from '#web/lib/toasts.ts'
import { ShareSeveralDialog } from '#web/links/several/load-share-several.ts'
import { sessionQuery, useHasRight } from '#web/signed-in/user.queries.ts'
import { KindDisc } from '#web/trackers/parts/kind-icon.tsx'
import { TagChip } from '#web/trackers/parts/tag-chip.tsx'
import { trackersApi } from '#web/trackers/trackers.api.ts'
import { devicesQuery, trackerKeys } from '#web/trackers/trackers.queries.tsx'
import { Empty } from '#web/ui/feedback/notice.tsx'
import { MultiChoice } from '#web/ui/form/multi-choice.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Entries, Entry } from '#web/ui/lists/entry.tsx'
import { Split, useChosen } from '#web/ui/lists/split.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { TagDialog } from './tag-dialog.tsx'
import classes from './tags.module.css'
import { tagsApi, tagsQuery } from './tags.queries.ts'

type Opened = { kind: 'add' } | { kind: 'edit' | 'remove' | 'trackers' | 'share'; tag: Tag }

export default function TagsScreen() {
  const { t } = useTranslation()
  const [{ data: tags }, { data: devices }] = useSuspenseQueries({ queries: [tagsQuery(), devicesQuery(), sessionQuery()] })
  const [opened, setOpened] = useState<Opened | null>(null)
  const mayChange = useHasRight('changePlaces')
  const hasChange = useFeature('trackerChange')
  const mayShare = useHasRight('changeTrackers')
  const hasGroupLinks = useFeature('groupLinks')
  const close = () => setOpened(null)
  const navigate = useNavigate()
  const { chosen, to } = useChosen(mayChange ? tags : [], 'id')
  const listTrackers = ({ id }: Tag) => devices.filter(({ tag }) => tag?.id === id)
  const countTrackers = (tag: Tag) => listTrackers(tag).length
  const add = mayChange && (
    <Button h={44} leftSection={<IconPlus size={18} />} onClick={() => setOpened({ kind: 'add' })}>
      {t('tags.add')}
    </Button>
  )
  return (
    <Page
      isNarrow={!chosen}
      isInAccount
      title={t('title.tags')}
      count={tags.length}
      actions={tags.length > 0 && add}
      lead={!mayChange && t('tracker.blocked.readOnly')}
    >
      {tags.length === 0 ? (
        <Empty icon={<IconTags size={30} />} title={t('tags.none')} action={add}>
          {t('tags.lead')}
        </Empty>
      ) : (
        <Split
          details={
            chosen && (
              <Fragment key={chosen.id}>
                <TagDialog isInPlace tag={chosen} onClose={() => undefined} />
                {hasChange && <TrackersDialog isInPlace tag={chosen} onClose={() => undefined} />}
              </Fragment>
            )
          }
        >
          <Entries label={t('title.tags')}>
            {tags.map((tag) => (
              <Entry
                key={tag.id}
                name={tag.name}
                more={
                  <>
                    {mayShare && hasGroupLinks && countTrackers(tag) > 0 && (
                      <IconButton
                        label={t('tracker.share')}
                        of={tag.name}
                        Icon={IconShare2}
                        onClick={() => setOpened({ kind: 'share', tag })}
                      />
                    )}
                    {mayChange && hasChange && !chosen && (
                      <IconButton
                        label={t('tags.choose')}
                        of={tag.name}
                        Icon={IconListCheck}
                        onClick={() => setOpened({ kind: 'trackers', tag })}
                      />
                    )}
                  </>
                }
                to={to?.(tag)}
                isChosen={tag.id === chosen?.id}
                onEdit={mayChange && !chosen ? () => setOpened({ kind: 'edit', tag }) : undefined}
                onDelete={mayChange ? () => setOpened({ kind: 'remove', tag }) : undefined}
              >
                <TagChip tag={tag} />
                {countTrackers(tag) > 0 ? (
                  <Link to={`/trackers?tag=${encodeURIComponent(tag.id)}`} className={classes.count}>
                    {t('tags.count', { count: countTrackers(tag) })}
                  </Link>
                ) : (
                  <span className={classes.count}>{t('tags.unused')}</span>
                )}
              </Entry>
            ))}
          </Entries>
        </Split>
      )}
      {opened?.kind === 'add' && <TagDialog onSaved={(tag) => to && void navigate(to(tag))} onClose={close} />}
      {opened?.kind === 'edit' && <TagDialog tag={opened.tag} onClose={close} />}
      {opened?.kind === 'remove' && <DeleteTagDialog tag={opened.tag} count={countTrackers(opened.tag)} onClose={close} />}
      {opened?.kind === 'share' && (
        <Suspense>
          <ShareSeveralDialog first={listTrackers(opened.tag).map(({ id }) => id)} name={opened.tag.name} onClose={close} />
        </Suspense>
      )}
      {opened?.kind === 'trackers' && <TrackersDialog tag={opened.tag} onClose={close} />}
    </Page>
  )
}

/** Confirms the deletion; its trackers stay and lose the tag. */
function DeleteTagDialog({ tag: { id, name }, count, onClose }: { tag: Tag; count: number; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const remove = async () => {
    await tagsApi.remove({ params: { id } }).catch(ignoreGone)
    queries.setQueryData(tagsQuery().queryKey, (all) => all?.filter((tag) => tag.id !== id))
    void queries.invalidateQueries({ queryKey: trackerKeys.devices })
    showToast(t('tags.deleted'))
  }
  return (
    <ConfirmDialog isDanger title={t('tags.deleteHeading', { name })} action={t('action.delete')} onConfirm={remove} onClose={onClose}>
      <p>{count > 0 ? t('tags.deleteLead', { count }) : t('tags.unused')}</p>
    </ConfirmDialog>
  )
}

const Form = z.object({ devices: z.string() })

/** Assigns a tag to trackers. A tracker has one tag, so it loses any other. */
type TrackersProps = { tag: Tag; isInPlace?: boolean; onClose: () => void }

function TrackersDialog({ tag, isInPlace = false, onClose }: TrackersProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const devices = useSuspenseQuery(devicesQuery()).data
  const [chosen, setChosen] = useState(() => devices.filter((device) => device.tag?.id === tag.id).map(({ id }) => id))
  const form = useForm({
    schema: Form,
    submit: async () => {
      const changed = devices.filter((device) => chosen.includes(device.id) !== (device.tag?.id === tag.id))
      const change = ({ id }: { id: number }) => trackersApi.change({ params: { id }, body: { tag: chosen.includes(id) ? tag.id : null } })
      // Reloads the trackers even after a failure, since some may have been changed before it.
      await Promise.all(changed.map(change)).finally(() => queries.invalidateQueries({ queryKey: trackerKeys.devices }))
      showToast(t('form.saved'))
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('tags.trackersOf', { name: tag.name })}
      lead={t('tags.chooseLead')}
      of={form}
      isInPlace={isInPlace}
      onClose={onClose}
    >
      <MultiChoice
        {...form.field('devices')}
        legend={t('trackers.heading')}
        value={chosen}
        onChange={setChosen}
        options={devices.map(({ id, name, tag: other, ...face }) => ({
          id,
          label: name,
          hint: other && other.id !== tag.id ? other.name : undefined,
          icon: <KindDisc of={face} size={32} />,
        }))}
      >
        {devices.length === 0 && <p>{t('trackers.none')}</p>}
      </MultiChoice>
    </FormDialog>
  )
}
