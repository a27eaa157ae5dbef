import { Button, useComputedColorScheme } from '@mantine/core'
import { IconDownload, IconMovie, IconShare2 } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { pickListed } from '#contracts/lib/unknown-values.ts'
import { KINDS } from '#contracts/rules/tracking/tracker.ts'
import type { Device } from '#contracts/trackers/devices.ts'
import { type Track, trackSpan } from '#web/history/track/track.ts'
import { exportFileName, isOneDay, timeWords } from '#web/history/track/track-words.ts'
import { canShareFile, downloadFile, shareFile } from '#web/lib/api/download.ts'
import { config } from '#web/lib/config.ts'
import { regionalTag } from '#web/lib/i18n/format.ts'
import { useFormats } from '#web/lib/i18n/use-formats.ts'
import { type Bounds, toDay } from '#web/lib/period.ts'
import { useIsSatellite } from '#web/map/base-layer.ts'
import { CheckboxField } from '#web/ui/form/checkbox-field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { SegmentedControl } from '#web/ui/form/segmented-control.tsx'
import { Dialog, DialogFoot } from '#web/ui/overlay/dialog.tsx'
import { createPainter, createScene, extensionOf, loadTiles, type Paint, recordFilm, type Scene } from './film.ts'
import classes from './film-dialog.module.css'
import { FILM, planFilm } from './film-view.ts'

const LENGTHS = ['10', '20', '40'] as const
type Length = (typeof LENGTHS)[number]

type Props = { device: Device; track: Track; bounds: Bounds; onClose: () => void }
type State = { is: 'ready' } | { is: 'recording'; percent: number } | { is: 'done'; file: File } | { is: 'failed' }

/** Makes a film of the history and saves or shares it. Nothing is uploaded. */
export default function FilmDialog({ device, track, bounds, onClose }: Props) {
  const { t, i18n } = useTranslation()
  const [length, setLength] = useState<Length>('20')
  const [hasMap, setMap] = useState(true)
  const [state, setState] = useState<State>({ is: 'ready' })
  const canvas = useRef<HTMLCanvasElement>(null)
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const { scene, isRefused } = useScene(track, hasMap)
  const draw = useDraw(canvas, device, bounds, scene)
  const isBusy = state.is === 'recording'
  useEffect(() => {
    if (state.is === 'ready') draw?.(0)
  }, [draw, state.is])

  const record = async () => {
    if (!canvas.current || !draw) return
    const abort = new AbortController()
    stop.current = abort
    setState({ is: 'recording', percent: 0 })
    try {
      const show = (share: number) => {
        draw(share)
        const percent = Math.round(share * 100)
        // An equal state renders nothing.
        setState((now) => (now.is === 'recording' && now.percent === percent ? now : { is: 'recording', percent }))
      }
      const film = await recordFilm({ canvas: canvas.current, seconds: Number(length), draw: show, signal: abort.signal })
      const name = filmName(device.name, bounds, extensionOf(film.type))
      setState({ is: 'done', file: new File([film], name, { type: film.type }) })
    } catch {
      setState({ is: abort.signal.aborted ? 'ready' : 'failed' })
    }
  }
  const seconds = new Intl.NumberFormat(regionalTag(i18n.language, navigator.languages), { style: 'unit', unit: 'second' })
  return (
    <Dialog title={t('history.film.open')} lead={t('history.film.lead')} onClose={onClose}>
      <canvas ref={canvas} width={FILM.width} height={FILM.height} className={classes.canvas} role="img" aria-label={device.name} />
      {state.is === 'failed' && <FormAlert>{t('history.film.failed')}</FormAlert>}
      {(state.is === 'ready' || state.is === 'failed') && (
        <div className={classes.choices}>
          <SegmentedControl
            label={t('history.film.length')}
            value={length}
            onChange={setLength}
            options={LENGTHS.map((value) => ({ value, label: seconds.format(Number(value)) }))}
          />
          {isRefused ? (
            <p role="status">{t('history.film.noMap')}</p>
          ) : (
            <CheckboxField checked={hasMap} onChange={({ target }) => setMap(target.checked)}>
              {t('history.film.map')}
            </CheckboxField>
          )}
        </div>
      )}
      {isBusy && (
        <>
          <p role="status">{t('history.film.making')}</p>
          <progress className={classes.progress} aria-label={t('history.film.making')} value={state.percent} max={100} />
        </>
      )}
      {state.is === 'done' && <p role="status">{t('history.film.done')}</p>}
      <DialogFoot>
        {isBusy ? (
          <Button autoFocus variant="default" h={44} onClick={() => stop.current?.abort()}>
            {t('action.cancel')}
          </Button>
        ) : state.is === 'done' ? (
          <Finished file={state.file} />
        ) : (
          <Button h={44} leftSection={<IconMovie size={18} />} disabled={!scene} onClick={() => void record()}>
            {t('history.film.make')}
          </Button>
        )}
      </DialogFoot>
    </Dialog>
  )
}

function filmName(name: string, { start, end }: Bounds, extension: string) {
  const [from, to] = [toDay(new Date(start)), toDay(new Date(end - 1))]
  return exportFileName(name, from, from === to ? '' : to, extension).replace('_.', '.')
}

function Finished({ file }: { file: File }) {
  const { t } = useTranslation()
  const isShareable = canShareFile(file)
  return (
    <>
      <Button
        autoFocus
        h={44}
        variant={isShareable ? 'default' : 'filled'}
        leftSection={<IconDownload size={18} />}
        onClick={() => void downloadFile(file)}
      >
        {t('history.film.save')}
      </Button>
      {isShareable && (
        <Button h={44} leftSection={<IconShare2 size={18} />} onClick={() => shareFile(file)}>
          {t('history.review.share')}
        </Button>
      )}
    </>
  )
}

/** The map as it is shown in the portal. `scene` is null until its tiles have arrived. */
function useScene(track: Track, hasMap: boolean) {
  const theme = useComputedColorScheme('light')
  const isSatellite = useIsSatellite()
  const plain = useMemo(() => createScene(track), [track])
  const [found, setFound] = useState<{ of: Scene; tiles: Scene['tiles'] | null; credit: string } | null>(null)
  useEffect(() => {
    if (!hasMap) return
    let isOver = false
    const { attribution, ...tiles } = (isSatellite && config().satellite) || config().tiles
    const credit = attribution.replace(/<[^>]*>/g, '')
    void loadTiles(plain.view, tiles, theme).then((loaded) => !isOver && setFound({ of: plain, tiles: loaded, credit }))
    return () => {
      isOver = true
    }
  }, [plain, theme, isSatellite, hasMap])
  const own = found?.of === plain ? found : null
  const scene = useMemo(
    () => (!hasMap ? plain : own && (own.tiles ? { ...plain, tiles: own.tiles, credit: own.credit } : plain)),
    [hasMap, plain, own],
  )
  return { scene, isRefused: own !== null && own.tiles === null }
}

/** Draws the film at a share of its length; null until it can. */
function useDraw(canvas: { current: HTMLCanvasElement | null }, device: Device, bounds: Bounds, scene: Scene | null) {
  const formats = useFormats()
  const theme = useComputedColorScheme('light')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tokens read here depend on the theme
  return useMemo(() => {
    const pen = scene && canvas.current?.getContext('2d')
    const span = scene && trackSpan(scene.track)
    if (!pen || !span) return null
    const painter = createPainter(pen, scene, readPaint(device))
    const timeAt = planFilm(scene.track.legs, span)
    const day = isOneDay(bounds) ? formats.day(new Date(bounds.start)) : ''
    return (share: number) => {
      const time = timeAt(share)
      painter.draw(time, share, {
        title: [device.name, day].filter(Boolean).join(' · '),
        clock: timeWords(formats, time, bounds),
        distance: formats.distance(painter.metersAt(time)),
      })
    }
  }, [canvas, device, bounds, scene, formats, theme])
}

function readPaint({ kind }: Device): Paint {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => style.getPropertyValue(name).trim() || '#888888'
  return {
    paper: token('--bg'),
    ground: token('--bg-2'),
    ink: token('--text'),
    pale: token('--field'),
    pin: token(`--kind-${pickListed(KINDS, kind, 'other')}`),
  }
}
