import { signIn } from '#scripts/contracts/client/backend.ts'
import { openCleanUp } from '#scripts/contracts/client/clean-up.ts'
import { callNamed, selection } from '#scripts/contracts/client/endpoints.ts'
import { CHECK_HELP, checkFlags, type Format, type Options } from '#scripts/contracts/client/flags.ts'
import { BROKEN, CLEAN, exitCode, type Io, save } from '#scripts/contracts/client/io.ts'
import { judge } from '#scripts/contracts/client/judge.ts'
import { createHide, createRecorder, type Hide } from '#scripts/contracts/client/recorder.ts'
import { createNotes } from '#scripts/contracts/client/run.ts'
import { createPace, createSend } from '#scripts/contracts/client/send.ts'
import { demandDisposable, destructive } from '#scripts/contracts/levels/destructive.ts'
import { parity } from '#scripts/contracts/levels/parity.ts'
import { preflight } from '#scripts/contracts/levels/preflight.ts'
import { reads } from '#scripts/contracts/levels/reads.ts'
import { refusals } from '#scripts/contracts/levels/refusals.ts'
import { cleanLeftOvers, write } from '#scripts/contracts/levels/write.ts'
import { html, junit, table } from '#scripts/contracts/reports/formats.ts'
import { makeReport, type Report, readBaseline } from '#scripts/contracts/reports/report.ts'

/** Checks a backend against the contract table. Exit code: 0 clean, 1 broken, 2 could not run. */
export const check = (argv: readonly string[], io: Io): Promise<number> =>
  exitCode(
    async () => {
      const options = checkFlags(argv, io.env)
      if (!options) {
        io.out(CHECK_HELP)
        return CLEAN
      }
      const report = await run(options, io)
      for (const { format, file } of options.formats) {
        if (file) save(file, reports[format](report))
        else io.out(reports[format](report))
      }
      return report.clean ? CLEAN : BROKEN
    },
    (text) => io.err(`contracts:check: ${text}`),
  )

const reports: Record<Format, (report: Report) => string> = {
  table,
  json: (report) => `${JSON.stringify(report, null, 1)}\n`,
  junit,
  html,
}

async function run(options: Options, io: Io): Promise<Report> {
  const baseline = readBaseline(options.baseline)
  const wants = selection(options.only)
  const cleanUp = openCleanUp(options.cleanUp, options.base)
  const hide = hideOf(options)
  const recorder = createRecorder(hide)
  const send = createSend({ io, turn: createPace(options.rps, io), record: recorder.add })
  try {
    const { backend, viewer, form } = await signIn(options, send)
    hide.know(backend.token ?? '')
    demandDisposable(options, viewer, io.env.CONTRACTS_DISPOSABLE)
    const other = options.parity && (await signIn({ base: options.parity.base, as: options.parity.as ?? options.as }, send))
    hide.know(other?.backend.token ?? '')
    const notes = createNotes(wants)
    const current = notes.on({ io, options, backend, viewer, wants })
    if (viewer) await cleanLeftOvers(current, cleanUp)
    await preflight(current)
    const signInCall = callNamed('sessions.signIn')
    if (form && wants(signInCall.name))
      await current.tries(
        { level: 'reads', call: signInCall },
        async () => form,
        (answer) => judge(signInCall.route, answer),
      )
    await reads(current)
    await refusals(current)
    if (viewer && (options.mayWrite || options.mayDestroy)) await write(current, cleanUp)
    if (other) await parity(current, other)
    if (options.mayDestroy) await destructive(current, cleanUp)
    return makeReport({ base: options.base, at: io.now(), results: notes.results, assumed: notes.proofs.all(), baseline, hide })
  } finally {
    if (options.record) save(options.record, recorder.archive(options.base))
  }
}

function hideOf({ as, parity: other }: Options): Hide {
  const hide = createHide()
  for (const one of [as, other?.as]) if (one) hide.know('token' in one ? one.token : one.password)
  return hide
}
